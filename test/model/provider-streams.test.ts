// The streams of providers, as events: each as it is documented, in whatever pieces the network delivers it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOpenAiModel } from "../../src/model/openai.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { callStreams } from "./fixtures/call-streams.ts";
import { oddStreams } from "./fixtures/odd-streams.ts";
import type { ProviderStream } from "./fixtures/stream.ts";
import { textStreams } from "./fixtures/text-streams.ts";
import { question } from "./hosted.ts";

const ALL = [...textStreams, ...callStreams, ...oddStreams];
const RUNS = 100;
/** A slow machine may take its time: what counts is that the events are the same. */

/** The events of a stream that arrives in these chunks. */
function eventsOf({ model = "m" }: ProviderStream, chunks: Uint8Array[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const made = createOpenAiModel({ apiKey: "", baseUrl: "http://model.test/v1", model, fetch });
  return Array.fromAsync(made.stream(question(), new AbortController().signal));
}

const joined = (events: ModelEvent[], kind: "text" | "reasoning") =>
  events.flatMap((event) => (event.kind === kind ? [event.text] : [])).join("");
const bytesOf = (text: string) => new TextEncoder().encode(text);

function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
  return [...cuts, bytes.length].map((to, at) => bytes.subarray(at === 0 ? 0 : cuts[at - 1], to));
}

describe.each(ALL)("$provider: $what", (stream) => {
  it("is read as intended", async () => {
    const events = await eventsOf(stream, [bytesOf(stream.body)]);
    const [text, reasoning] = [joined(events, "text"), joined(events, "reasoning")];
    expect({ text, reasoning }).toEqual({ text: stream.text ?? "", reasoning: stream.reasoning ?? "" });
    expect(events.at(-1)).toMatchObject(stream.end);
    expect(events.filter(({ kind }) => kind === "end" || kind === "failed")).toHaveLength(1);
  });

  it("gives the same events in any pieces", async () => {
    const bytes = bytesOf(stream.body);
    const whole = await eventsOf(stream, [bytes]);
    expect(
      await eventsOf(
        stream,
        Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
      ),
    ).toEqual(whole);
    const cuts = fc.array(fc.nat({ max: bytes.length - 1 }), { minLength: 1, maxLength: 12 });
    const sameEvents = fc.asyncProperty(cuts, async (places) => {
      expect(await eventsOf(stream, cutAt(bytes, places))).toEqual(whole);
    });
    await fc.assert(sameEvents, { numRuns: RUNS });
  });
});

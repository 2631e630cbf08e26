// How much of an answer the adapter takes: where it stops reading, what it keeps of the provider's own parts, and what it joins.
import { describe, expect, it } from "vitest";
import { CALL_FRAME_BYTES, MAX_ANSWER_BYTES, MAX_NATIVE_BYTES } from "../../src/core/limits.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { requestBody } from "../../src/model/request-body.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { KEY, question } from "./hosted.ts";

type Delta = Record<string, unknown>;

/** The events of a stream of these deltas, which ends with this reason; and how many deltas were read. */
async function streamed(deltas: Iterable<Delta>, finish = "stop") {
  const encoder = new TextEncoder();
  let read = 0;
  const line = (choice: object) => encoder.encode(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
  const rest = deltas[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = rest.next();
        if (!next.done) {
          read++;
          return controller.enqueue(line({ index: 0, delta: next.value, finish_reason: null }));
        }
        controller.enqueue(line({ index: 0, delta: {}, finish_reason: finish }));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const model = createOpenAiModel({ apiKey: KEY, baseUrl: "http://localhost", model: "m", fetch });
  const events: ModelEvent[] = await Array.fromAsync(model.stream(question(), new AbortController().signal));
  const end = events.at(-1);
  if (end?.kind !== "end") throw new Error(`the stream ended with ${JSON.stringify(end)}`);
  return { events, end, read: () => read };
}
const call = (id: string, args: string, more: object = {}): Delta => ({
  tool_calls: [{ index: 0, id, function: { name: "look", arguments: args }, ...more }],
});
const piece = (args: string): Delta => ({ tool_calls: [{ index: 0, function: { arguments: args } }] });
const NAMES = "c1look".length + CALL_FRAME_BYTES;

describe("an answer's text and arguments together", () => {
  it("may have 256 KiB", async () => {
    const half = MAX_ANSWER_BYTES / 2;
    const { end } = await streamed([{ content: "x".repeat(half) }, call("c1", "y".repeat(half - NAMES))], "tool_calls");
    expect([end.finishReason, end.calls[0]?.arguments.length]).toEqual(["tool_calls", half - NAMES]);
  });

  it("are cut one byte beyond that, like an answer that its provider cut, and the rest is not read", async () => {
    const half = MAX_ANSWER_BYTES / 2;
    const { end } = await streamed([{ content: "x".repeat(half) }, call("c1", "y".repeat(half - NAMES + 1))]);
    expect([end.finishReason, end.calls.length, end.usage]).toEqual(["length", 1, null]);
    function* endless() {
      yield call("c1", "");
      for (;;) yield piece("y".repeat(1024));
    }
    const cut = await streamed(endless());
    expect([cut.end.finishReason, cut.end.calls.length]).toEqual(["length", 1]);
    expect(cut.read()).toBeLessThan(MAX_ANSWER_BYTES / 1024 + 8);
  });

  it("count each call, so that calls without names end too", async () => {
    function* endless() {
      for (let index = 0; ; index++) yield { tool_calls: [{ index, id: "c" }] };
    }
    const { end } = await streamed(endless());
    expect([end.finishReason, end.calls.length]).toEqual([
      "length",
      Math.floor(MAX_ANSWER_BYTES / (CALL_FRAME_BYTES + 1)) + 1,
    ]);
  });

  it("count what must be sent back with a call, so that endless signatures are not read", async () => {
    const signature = { google: { thought_signature: "s".repeat(1024) } };
    const signs = Array.from({ length: 1000 }, () => ({ tool_calls: [{ index: 0, extra_content: signature }] }));
    const { end, read } = await streamed([call("c1", "{}"), ...signs], "tool_calls");
    expect([end.finishReason, end.calls.length]).toEqual(["length", 1]);
    expect(read()).toBeLessThan(MAX_ANSWER_BYTES / 1024 + 8);
  });
});

it("a stream that is cut at the provider's limit says so, with the calls it has", async () => {
  expect((await streamed([{ content: "so" }], "length")).end).toMatchObject({ finishReason: "length", calls: [] });
  const calls = [{ id: "a", name: "look", arguments: '{"no' }];
  expect((await streamed([call("a", '{"no')], "length")).end).toMatchObject({ finishReason: "length", calls });
});

describe("the provider's own parts of an answer", () => {
  const thinks = (text: string, more: object = {}) => ({
    reasoning_details: [{ type: "reasoning.text", index: 0, text, ...more }],
  });

  it("are joined: the pieces of one item become one item, and its signature is kept", async () => {
    const { end } = await streamed(
      [
        thinks("Let", { format: "f" }),
        thinks(" me"),
        thinks(" see.", { signature: "s1" }),
        { reasoning_details: [{ type: "reasoning.encrypted", index: 1, id: "e1", data: "AAAA" }] },
        { reasoning_details: [{ type: "reasoning.encrypted", index: 1, id: "e2", data: "BBBB" }] },
        { reasoning_details: [{ type: "reasoning.summary", index: 2, summary: "I " }, "odd"] },
        { reasoning_details: [{ type: "reasoning.summary", index: 2, summary: "looked." }] },
        call("c1", "{}", { extra_content: { google: { thought_signature: "g" } } }),
      ],
      "tool_calls",
    );
    expect(end.native).toEqual({
      details: [
        { type: "reasoning.text", index: 0, text: "Let me see.", format: "f", signature: "s1" },
        { type: "reasoning.encrypted", index: 1, id: "e1", data: "AAAA" },
        { type: "reasoning.encrypted", index: 1, id: "e2", data: "BBBB" },
        { type: "reasoning.summary", index: 2, summary: "I " },
        "odd",
        { type: "reasoning.summary", index: 2, summary: "looked." },
      ],
      ofCalls: { c1: { google: { thought_signature: "g" } } },
      from: "m",
    });
  });

  it("stay one item each, however many pieces arrive", async () => {
    const { end } = await streamed([...Array.from({ length: 5000 }, () => thinks("x")), call("c1", "{}")]);
    expect(end.native?.details).toEqual([{ type: "reasoning.text", index: 0, text: "x".repeat(5000) }]);
  });

  it("are kept only with an answer that is sent back with them, which is one with calls", async () => {
    expect((await streamed([thinks("Hm."), { content: "Hi." }])).end).not.toHaveProperty("native");
    const { end } = await streamed([thinks("Hm."), call("c1", "{}")], "tool_calls");
    const { calls, native } = end;
    const answer = { role: "assistant", text: "", calls, ...(native && { native }) } as const;
    const [, , sent] = requestBody("m", question("", { messages: [{ role: "user", text: "go" }, answer] })).messages;
    expect(sent).toMatchObject({ reasoning_details: [{ type: "reasoning.text", index: 0, text: "Hm." }] });
  });

  it.each([
    ["are kept at 256 KiB", 0, true],
    ["are left out one byte past that", 1, false],
  ])("%s", async (_, more, isKept) => {
    const details = [{ type: "reasoning.text", index: 0, text: "" }];
    const frame = JSON.stringify({ details, ofCalls: {}, from: "m" }).length;
    const deltas = [thinks("x".repeat(MAX_NATIVE_BYTES - frame + more)), call("c1", "{}")];
    expect("native" in (await streamed(deltas)).end).toBe(isKept);
  });
});

// A server that has said why its answer ended, but neither says that this was all nor hangs up. The test moves the clock of this file.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createOpenAiModel } from "../../src/model/openai.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { fakeTimeouts } from "../support/fake-timeouts.ts";
import { question } from "./hosted.ts";

beforeEach(fakeTimeouts);
afterEach(() => void vi.useRealTimers());

/** When a connection is closed, a waiting read fails in workerd but finds the end of the stream in Node. */
function asInWorkerd(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  const read = reader.read.bind(reader);
  reader.read = () => Promise.race([read(), closed.promise]);
  reader.cancel = async () => {
    closed.reject(new TypeError("Stream was cancelled."));
    reader.releaseLock();
    await body.cancel();
  };
  return Object.assign(Object.create(body), { getReader: () => reader });
}

/** An answer that is being read, and its server's side. */
function open(runtime = (body: ReadableStream<Uint8Array>) => body) {
  let server: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isClosed = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      server = controller;
    },
    cancel() {
      isClosed = true;
    },
  });
  const fetch = async () => Object.defineProperty(new Response(), "body", { value: runtime(body) });
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://model.test/v1", model: "m", fetch });
  const events: ModelEvent[] = [];
  const read = (async () => {
    for await (const event of model.stream(question(), new AbortController().signal)) events.push(event);
  })();
  const send = (chunk: object) => server?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
  const close = () => server?.close();
  const fail = () => server?.error(new TypeError("network connection lost"));
  return { events, read, send, close, fail, isClosed: () => isClosed };
}

const words = { choices: [{ index: 0, delta: { content: "All of it." }, finish_reason: null }] };
const finish = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const end = { kind: "end", finishReason: "stop", calls: [] };

it.each([
  ["Node", undefined],
  ["workerd", asInWorkerd],
])("is a whole answer after three seconds of silence, and its connection is closed, in %s", async (_, runtime) => {
  const { events, read, send, isClosed } = open(runtime);
  send(words);
  send(finish);
  await vi.advanceTimersByTimeAsync(2999);
  expect([events, isClosed()]).toEqual([[{ kind: "text", text: "All of it." }], false]);
  await vi.advanceTimersByTimeAsync(1);
  await read;
  expect([events.at(-1), isClosed()]).toEqual([{ ...end, usage: null }, true]);
});

it("may still send how many tokens it used, however late within that silence", async () => {
  const { events, read, send } = open();
  send(words);
  send(finish);
  await vi.advanceTimersByTimeAsync(2500);
  send({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } });
  await vi.advanceTimersByTimeAsync(3000);
  await read;
  expect(events.at(-1)).toEqual({ ...end, usage: { inputTokens: 7, outputTokens: 3 } });
});

it("has all the time that the turn has while its answer continues", async () => {
  const { events, send, isClosed } = open();
  send(words);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([events.length, isClosed()]).toEqual([1, false]);
});

describe("a reason with every piece (gateways to Gemini) means nothing", () => {
  const saying = (delta: object) => ({ choices: [{ index: 0, delta, finish_reason: "stop" }] });
  const thought = saying({ reasoning_content: "Let me see." });
  const one = saying({ content: "One, " });
  const two = saying({ content: "two." });

  it.each([
    ["thoughts", [thought], [two]],
    ["words", [one, saying({ content: "and " })], [two]],
    ["a call", [saying({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{" } }] }), one], [two]],
  ])("so that silence after %s is not an end", async (_, before, after) => {
    const { events, read, send, close, isClosed } = open();
    for (const chunk of before) send(chunk);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(isClosed()).toBe(false);
    for (const chunk of after) send(chunk);
    close();
    await read;
    expect(events.filter(({ kind }) => kind === "text").at(-1)).toEqual({ kind: "text", text: "two." });
    expect(events.at(-1)).toMatchObject({ kind: "end" });
  });

  it("so that an answer whose connection breaks is not whole", async () => {
    const { events, read, send, fail } = open();
    send(one);
    send(two);
    await vi.advanceTimersByTimeAsync(0);
    fail();
    await read;
    expect(events.at(-1)).toMatchObject({ kind: "failed", failure: { reason: "network" } });
  });
});

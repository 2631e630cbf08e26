// A server that only calls itself compatible: pieces of the wrong shape, and connections that break with a reason.
import { describe, expect, it } from "vitest";
import { createOpenAiModel } from "../../src/model/openai.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";

const modelOver = (fetch: () => Promise<Response>) =>
  createOpenAiModel({ apiKey: "sk-secret", baseUrl: "http://model.test/v1", model: "m", fetch });
const eventsOf = (fetch: () => Promise<Response>): Promise<ModelEvent[]> => {
  const request = { system: "", messages: [{ role: "user" as const, text: "hi" }], tools: [] };
  return Array.fromAsync(modelOver(fetch).stream(request, new AbortController().signal));
};

describe("a piece of the wrong shape", () => {
  it.each([{ content: { text: "hi" } }, { tool_calls: "some" }])(
    "breaks off the answer and says nothing: %j",
    async (delta) => {
      const body = `data: ${JSON.stringify({ choices: [{ delta, finish_reason: null }] })}\n\ndata: [DONE]\n\n`;
      const headers = { "content-type": "text/event-stream" };
      expect(await eventsOf(async () => new Response(body, { headers }))).toMatchObject([
        { kind: "failed", failure: { reason: "bad_stream" } },
      ]);
    },
  );
});

describe("what can't be read", () => {
  const usage = '{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":NaN}}';
  const hi = '{"choices":[{"delta":{"content":"hi"}}]}';
  const stop = '{"choices":[{"delta":{},"finish_reason":"stop"}]}';
  const odd = '{"choices":[{"delta":{"content":{"text":"more"}},"finish_reason":"stop"}]}';
  it.each([
    ["after the end of an answer leaves it whole", [hi, stop, usage], "end"],
    ["before it breaks it off", [hi, usage, stop], "failed"],
    ["with it breaks it off", [hi, odd], "failed"],
  ])("%s", async (_, chunks, last) => {
    const body = chunks.map((chunk) => `data: ${chunk}\n\n`).join("");
    const events = await eventsOf(async () => new Response(body, { headers: { "content-type": "text/event-stream" } }));
    expect(events.map(({ kind }) => kind)).toEqual(["text", last]);
  });
});

it("a piece of a call that says nothing is not a call", async () => {
  const pieces = [{}, { index: 0, id: "", function: { name: null, arguments: "" } }];
  const deltas = pieces.map((one, index) => ({
    choices: [{ delta: { content: "hi", tool_calls: [one] }, finish_reason: index === 1 ? "stop" : null }],
  }));
  const body = deltas.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
  const headers = { "content-type": "text/event-stream" };
  expect(await eventsOf(async () => new Response(body, { headers }))).toEqual([
    { kind: "text", text: "hi" },
    { kind: "text", text: "hi" },
    { kind: "end", finishReason: "stop", calls: [], usage: null },
  ]);
});

describe("a connection that is never made", () => {
  it("is an unreachable model, and the message names the cause without the key", async () => {
    expect(await eventsOf(() => Promise.reject(new Error("reset by peer, key sk-secret")))).toEqual([
      { kind: "failed", failure: { reason: "unreachable", message: "Connection error.: reset by peer, key [key]" } },
    ]);
  });
});

// The model adapter against a server that we did not write: an independent OpenAI-compatible mock with realistic streaming and
// faults.
import { type Fixture, LLMock } from "@copilotkit/aimock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "../../src/core/transcript/transcript.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { tools } from "../../src/tools/index.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { streamPatiently } from "../../src/turn/stream-patiently.ts";
import type { StreamResult } from "../../src/turn/stream-result.ts";
import { createTestClock } from "../support/clock.ts";
import { eventually } from "../support/web-server.ts";
import { modelAt, question } from "./hosted.ts";

let mock: LLMock;
beforeEach(async () => {
  mock = new LLMock({ port: 0, host: "127.0.0.1" });
  await mock.start();
});
afterEach(() => mock.stop());

const schemas = createToolRegistry(tools).schemas();
const model = () => modelAt(mock.url, "mock");
const never = () => new AbortController().signal;
const eventsOf = (request = question(), signal = never()) => Array.fromAsync(model().stream(request, signal));
const textOf = (events: ModelEvent[]) =>
  events.flatMap((event) => (event.kind === "text" ? [event.text] : [])).join("");
const failed = (reason: string, more: object = {}) => ({
  kind: "failed",
  failure: { reason, message: expect.any(String), ...more },
});
const fixture = (response: Fixture["response"], over: Partial<Fixture> = {}) =>
  mock.addFixture({ match: { userMessage: "hello" }, response, ...over });

describe("an independent server", () => {
  it("streams a text in its own pieces, with its token count", async () => {
    fixture({ content: "Hello there, how are you?" }, { chunkSize: 4 });
    const events = await eventsOf();
    expect(textOf(events)).toBe("Hello there, how are you?");
    expect(events.length).toBeGreaterThan(4);
    expect(events.at(-1)).toEqual({
      kind: "end",
      finishReason: "stop",
      calls: [],
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    });
  });

  it("streams at its own pace, which does not change the answer", async () => {
    fixture({ content: "One by one." }, { chunkSize: 2, streamingProfile: { ttft: 20, tps: 500, jitter: 0.5 } });
    expect(textOf(await eventsOf())).toBe("One by one.");
  });

  it("calls tools, in fragments and several at once", async () => {
    const call = (notation: string) => ({ name: "roll_dice", arguments: JSON.stringify({ notation }) });
    fixture({ content: "I roll.", toolCalls: [call("1d6"), call("2d10")] }, { chunkSize: 5 });
    const events = await eventsOf(question("hello", { tools: schemas }));
    const end = events.at(-1);
    expect(textOf(events)).toBe("I roll.");
    expect(end).toMatchObject({ kind: "end", finishReason: "tool_calls", calls: [call("1d6"), call("2d10")] });
    const ids = end?.kind === "end" ? end.calls.map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(2);
  });

  it("accepts the calls and their results, and answers them", async () => {
    mock.addFixture({ match: { toolCallId: "b" }, response: { content: "Seven." } });
    const calls = ["a", "b"].map((id) => ({ id, name: "roll_dice", arguments: '{"notation":"1d6"}' }));
    const messages: Message[] = [
      { role: "user", text: "hello" },
      { role: "assistant", text: "I roll.", calls },
      ...calls.map(({ id }): Message => ({ role: "tool", callId: id, text: '{"total":7}' })),
    ];
    expect(textOf(await eventsOf(question("", { messages, tools: schemas })))).toBe("Seven.");
    expect(mock.getRequests()).toHaveLength(1);
  });

  it("streams reasoning next to the text", async () => {
    fixture({ content: "Four.", reasoning: "Two and two." });
    const events = await eventsOf();
    const thoughts = events.flatMap((event) => (event.kind === "reasoning" ? [event.text] : []));
    expect([thoughts.join(""), textOf(events)]).toEqual(["Two and two.", "Four."]);
  });

  it("cuts an answer at its length limit", async () => {
    fixture({ content: "Half an", finishReason: "length" });
    expect((await eventsOf()).at(-1)).toMatchObject({ kind: "end", finishReason: "length" });
  });
});

describe("a fault of that server", () => {
  it("may be a rate limit, whose wait is read", async () => {
    fixture({ error: { message: "Slow down.", type: "rate_limit_error" }, status: 429, retryAfter: 7 });
    expect(await eventsOf()).toEqual([failed("rate_limited", { retryAfterMs: 7000, status: 429 })]);
  });

  it.each([
    [{ rateLimitRate: 1 }, "rate_limited"],
    [{ dropRate: 1 }, "overloaded"],
  ])("%j has the reason %s, and the server is asked once", async (chaos, reason) => {
    fixture({ content: "Hello" });
    mock.setChaos(chaos);
    const [event, ...more] = await eventsOf();
    expect([event, more]).toMatchObject([{ kind: "failed", failure: { reason } }, []]);
    expect(mock.getRequests()).toHaveLength(1);
  });

  it.each([{ malformedRate: 1 }, { disconnectRate: 1 }])("%j is a failure and never an answer", async (chaos) => {
    fixture({ content: "Hello" });
    mock.setChaos(chaos);
    const events = await eventsOf();
    expect(events).toHaveLength(1);
    expect(["bad_stream", "network"]).toContain(events[0]?.kind === "failed" && events[0].failure.reason);
  });

  it.each<[string, Partial<Fixture>]>([
    ["after some pieces", { chunkSize: 2, truncateAfterChunks: 3 }],
    ["after some time", { chunkSize: 1, disconnectAfterMs: 60, streamingProfile: { ttft: 1, tps: 50 } }],
  ])("that breaks the connection %s is a failure after the text so far", async (_, over) => {
    const content = "A rather long answer that never comes to its end, however long one waits.";
    fixture({ content }, over);
    const events = await eventsOf();
    expect(events.at(-1)).toEqual(failed("network", { code: "UND_ERR_SOCKET" }));
    expect(content.startsWith(textOf(events)) && textOf(events) !== content).toBe(true);
  });

  it.each([
    [401, "auth"],
    [400, "refused"],
    [500, "overloaded"],
    [503, "overloaded"],
  ])("with the status %i is %s", async (status, reason) => {
    mock.nextRequestError(status, { message: "No.", type: "error" });
    expect(await eventsOf()).toEqual([failed(reason, { status })]);
  });

  it("about a context that is too long is recognized by its code", async () => {
    const error = { message: "Too long.", type: "invalid_request_error", code: "context_length_exceeded" };
    fixture({ error, status: 400 });
    expect(await eventsOf()).toEqual([failed("context_too_long", { status: 400, code: "context_length_exceeded" })]);
  });

  it("is overcome by retries that wait as long as asked, if it is temporary", async () => {
    const clock = createTestClock(0);
    mock.nextRequestError(503, { message: "Busy.", type: "server_error" });
    mock.addFixture({ match: { userMessage: "hello" }, response: { content: "At last." } });
    const params = {
      model: model(),
      timers: clock.timers,
      clock: clock.now,
      limits: { firstTokenTimeoutMs: 300_000, streamTimeoutMs: 120_000 },
      signal: never(),
      ownName: "Parley",
      toolNames: [],
      stopFlag: () => null,
      onText: () => {},
      onRetry: () => {},
      onLost: () => {},
      smaller: () => null,
    };
    let result: StreamResult | null = null;
    void streamPatiently(params, question()).then((ended) => {
      result = ended;
    });
    // The sockets are real, and the test's clock advances only during waits, so no limit of an answer passes meanwhile.
    await eventually(() => {
      if ((clock.nextAt() ?? Number.POSITIVE_INFINITY) < clock.now() + 60_000) void clock.advance(100);
      return result !== null;
    });
    expect(result).toMatchObject({ status: "completed", accumulatedText: "At last." });
    expect([mock.getRequests().length, clock.pending()]).toEqual([2, 0]);
  });
});

it("an abort in midstream ends the stream at once, long before the answer is complete", async () => {
  const turn = new AbortController();
  const content = "word ".repeat(200);
  fixture({ content }, { chunkSize: 5, streamingProfile: { tps: 100 } });
  const events: ModelEvent[] = [];
  for await (const event of model().stream(question(), turn.signal)) {
    events.push(event);
    turn.abort();
  }
  expect(events.at(-1)).toEqual({ kind: "failed", failure: { reason: "aborted", message: "the request was aborted" } });
  expect(textOf(events).length).toBeLessThan(content.length / 2);
});

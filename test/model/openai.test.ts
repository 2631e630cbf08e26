// The model adapter over real HTTP: good streams, every kind of broken stream, and aborts.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { object } from "zod";
import type { Message, ToolCall } from "../../src/core/transcript/transcript.ts";
import type { ScriptStep } from "../../src/playground/model/script.ts";
import { serve } from "../../src/playground/serve.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { defineTool } from "../../src/toolkit/define/tool.ts";
import { tools } from "../../src/tools/index.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { streamOnce } from "../../src/turn/stream-once.ts";
import { createTestClock } from "../support/clock.ts";
import { eventually } from "../support/web-server.ts";
import { collectEvents, type Hosted, host, modelAt, question } from "./hosted.ts";

let hosted: Hosted;
beforeAll(async () => {
  hosted = await host();
});
afterEach(() => hosted.local.reset());
afterAll(() => hosted.served.close());

const USAGE = { inputTokens: expect.any(Number), outputTokens: expect.any(Number) };
const ended = (calls: ToolCall[] = [], finishReason = calls.length > 0 ? "tool_calls" : "stop") => ({
  kind: "end",
  finishReason,
  calls,
  usage: USAGE,
});
const failed = (reason: string, message: unknown = expect.any(String), more: object = {}) => {
  return { kind: "failed", failure: { reason, message, ...more } };
};
const last = (events: ModelEvent[]) => events.at(-1);
const data = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`;
const delta = (delta: object, finish_reason: string | null = null) =>
  data({ choices: [{ index: 0, delta, finish_reason }] });

describe("a good stream", () => {
  it("gives its text piece by piece, then its end with the provider's token count", async () => {
    const step: ScriptStep = {
      chunks: [{ text: "Hel" }, { comment: true }, { text: "lo 😀" }],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    };
    expect(await collectEvents(hosted, step)).toEqual([
      { kind: "text", text: "Hel" },
      { kind: "text", text: "lo 😀" },
      { kind: "end", finishReason: "stop", calls: [], usage: { inputTokens: 7, outputTokens: 3 } },
    ]);
  });

  it("separates reasoning from text, under either of its field names", async () => {
    const raw = delta({ reasoning: "so" }) + delta({ reasoning_content: "" }) + delta({ reasoning: { effort: 1 } });
    expect(await collectEvents(hosted, { chunks: [{ reasoning: "Hm" }, { raw }, { text: "Yes" }] })).toEqual([
      { kind: "reasoning", text: "Hm" },
      { kind: "reasoning", text: "so" },
      { kind: "text", text: "Yes" },
      ended(),
    ]);
  });

  it("joins a call from its fragments", async () => {
    const call = { id: "c1", name: "roll_dice", arguments: { notation: "3d6" }, fragments: 5 };
    const piece = { kind: "call_piece", text: expect.any(String) as string };
    expect(await collectEvents(hosted, { chunks: [{ text: "I roll." }, { call }] })).toEqual([
      { kind: "text", text: "I roll." },
      ...Array.from({ length: 6 }, () => piece),
      ended([{ id: "c1", name: "roll_dice", arguments: '{"notation":"3d6"}' }]),
    ]);
  });

  it("keeps several calls apart and in order, and leaves broken arguments as they are", async () => {
    const call = (id: string, text: string) => ({ call: { id, name: "roll_dice", arguments: text } });
    const events = await collectEvents(hosted, {
      chunks: [call("a", '{"notation":"1d2"}'), call("b", '{"nota'), call("c", "{}")],
    });
    expect(last(events)).toEqual(
      ended([
        { id: "a", name: "roll_dice", arguments: '{"notation":"1d2"}' },
        { id: "b", name: "roll_dice", arguments: '{"nota' },
        { id: "c", name: "roll_dice", arguments: "{}" },
      ]),
    );
  });

  it("gives unique ids to calls with the same id or without one", async () => {
    const raw = [0, 1, 2, 3]
      .map((index) =>
        delta({ tool_calls: [{ index, ...(index < 2 && { id: "x" }), function: { name: "t", arguments: "{}" } }] }),
      )
      .join("");
    const end = last(await collectEvents(hosted, { chunks: [{ raw }], finish: "tool_calls" }));
    const ids = end?.kind === "end" ? end.calls.map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain("");
    expect(ids[0]).toBe("x");
  });

  it("with calls is a stream of calls even if it ends with stop", async () => {
    const call = { id: "a", name: "roll_dice", arguments: "{}" };
    expect(last(await collectEvents(hosted, { chunks: [{ call }], finish: "stop" }))).toEqual(
      ended([call], "tool_calls"),
    );
  });

  it("has no token count if the provider sends none, and ignores chunks without choices or content", async () => {
    const raw =
      data({ choices: [] }) +
      data({}) +
      data({ choices: [{ index: 0 }] }) +
      delta({ content: null }) +
      delta({ content: "hi" }, "stop");
    const server = await serve(
      () => new Response(`${raw}data: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } }),
    );
    const events = await Array.fromAsync(modelAt(server.url).stream(question(), new AbortController().signal));
    await server.close();
    expect(events).toEqual([
      { kind: "text", text: "hi" },
      { kind: "end", finishReason: "stop", calls: [], usage: null },
    ]);
  });
});

describe("a failing provider", () => {
  it("is asked once if it limits requests, and its wait is reported", async () => {
    const events = await collectEvents(hosted, { status: 429, headers: { "retry-after": "2.5" } });
    expect(events).toEqual([failed("rate_limited", expect.any(String), { status: 429, retryAfterMs: 2500 })]);
    expect(hosted.local.log).toHaveLength(1);
  });

  it.each([
    ["Sat, 21 Nov 2026 10:00:30 GMT", { retryAfterMs: 30_000 }],
    ["Sat, 21 Nov 2026 10:00:00 GMT", { retryAfterMs: 0 }],
    ["Sat, 21 Nov 2026 09:59:59 GMT", {}],
    ["Some day GMT", {}],
  ])("that limits requests until %s is read by the provider's own clock", async (until, wait) => {
    const headers = { "retry-after": until, date: "Sat, 21 Nov 2026 10:00:00 GMT" };
    const server = await serve(() => new Response("{}", { status: 429, headers }));
    const events = await Array.fromAsync(modelAt(server.url).stream(question(), new AbortController().signal));
    await server.close();
    expect(events).toEqual([failed("rate_limited", expect.any(String), { status: 429, ...wait })]);
  });

  it.each(["soon", "-1", ""])("that limits requests with the wait %j gives no wait", async (value) => {
    expect(await collectEvents(hosted, { status: 429, headers: { "retry-after": value } })).toEqual([
      failed("rate_limited", expect.any(String), { status: 429 }),
    ]);
  });

  it.each([
    [400, "refused"],
    [401, "auth"],
    [403, "auth"],
    [402, "no_credit"],
    [404, "no_model"],
    [408, "overloaded"],
    [409, "refused"],
    [413, "context_too_long"],
    [500, "overloaded"],
    [502, "overloaded"],
    [503, "overloaded"],
    [529, "overloaded"],
  ])("that answers %i has the reason %s and is asked once", async (status, reason) => {
    expect(await collectEvents(hosted, { status })).toEqual([failed(reason, expect.any(String), { status })]);
    expect(hosted.local.log).toHaveLength(1);
  });

  it.each([
    ["context_length_exceeded", "This model's maximum context length is 8192 tokens.", "context_too_long"],
    ["content_filter", "The response was filtered.", "content_blocked"],
    ["content_policy_violation", "No.", "content_blocked"],
  ])("that answers 400 with the code %s has its own reason", async (code, message, reason) => {
    const body = { error: { message, type: "invalid_request_error", param: null, code } };
    expect(await collectEvents(hosted, { status: 400, body })).toEqual([
      failed(reason, message, { status: 400, code }),
    ]);
  });

  it("counts as overloaded if it answers with an error page, in a message of at most 300 characters", async () => {
    const [event] = await collectEvents(hosted, { status: 502, body: `<html>${"x".repeat(5000)}</html>` });
    expect(event).toEqual(failed("overloaded", expect.any(String), { status: 502 }));
    expect(event?.kind === "failed" && event.failure.message.length).toBeLessThanOrEqual(300);
  });

  it("is reported as unreachable with the cause", async () => {
    const server = await serve(() => new Response(null));
    await server.close();
    const events = await Array.fromAsync(modelAt(server.url).stream(question(), new AbortController().signal));
    const cause = expect.stringMatching(/^Connection error.: fetch failed: .*ECONNREFUSED/);
    expect(events).toEqual([failed("unreachable", cause, { code: "ECONNREFUSED" })]);
  });

  it("is not mistaken for one with a short answer if it blocks its own", async () => {
    const events = await collectEvents(hosted, { chunks: [{ text: "I was about" }], finish: "content_filter" });
    expect(events).toEqual([
      { kind: "text", text: "I was about" },
      { ...failed("content_blocked"), usage: USAGE },
    ]);
  });
});

describe("a broken stream", () => {
  it("is any stream without a finish reason, whatever it says", async () => {
    expect(await collectEvents(hosted, { chunks: [{ text: "so" }], finish: null })).toEqual([
      { kind: "text", text: "so" },
      failed("bad_stream", "the stream ended without a finish reason"),
    ]);
  });

  it("is a network failure if it is cut short", async () => {
    expect(await collectEvents(hosted, { chunks: [{ text: "so" }, { cut: true }] })).toEqual([
      { kind: "text", text: "so" },
      failed("network", "terminated: other side closed", { code: "UND_ERR_SOCKET" }),
    ]);
  });

  it("with an error in the middle is a bad stream", async () => {
    const raw = data({ error: { message: "Something is wrong.", type: "unknown", code: null } });
    expect(await collectEvents(hosted, { chunks: [{ text: "so" }, { raw }] })).toEqual([
      { kind: "text", text: "so" },
      failed("bad_stream", "Something is wrong."),
    ]);
  });

  it.each([
    [{ code: 429 }, "rate_limited", { code: "429" }],
    [{ code: "502" }, "overloaded", { code: "502" }],
    [{ code: null, type: "server_error" }, "overloaded", {}],
    [{ type: "api_error" }, "overloaded", {}],
  ])("with the error %j in the middle has the reason %s", async (error, reason, more) => {
    const raw = data({ error: { message: "Provider returned error", ...error } });
    expect(await collectEvents(hosted, { chunks: [{ raw }] })).toEqual([
      failed(reason, "Provider returned error", more),
    ]);
  });

  it("is a bad stream if it is not JSON, and its content stays out of the log", async () => {
    const logged = vi.spyOn(console, "error");
    const events = await collectEvents(hosted, { chunks: [{ text: "so" }, { raw: "data: {private words\n\n" }] });
    expect(events).toEqual([
      { kind: "text", text: "so" },
      failed("bad_stream", "the stream contained something that is not JSON"),
    ]);
    expect(logged.mock.calls).toEqual([]);
    logged.mockRestore();
  });
});

describe("an abort", () => {
  it("in the middle ends the stream as aborted, and the provider sees the connection close", async () => {
    const turn = new AbortController();
    hosted.local.script([{ chunks: [{ text: "so" }, { hang: true }] }]);
    const events: ModelEvent[] = [];
    for await (const event of hosted.model.stream(question(), turn.signal)) {
      events.push(event);
      turn.abort();
    }
    expect(events).toEqual([{ kind: "text", text: "so" }, failed("aborted", "the request was aborted")]);
    await eventually(() => hosted.local.log[0]?.aborted === true);
    expect(hosted.local.log).toMatchObject([{ status: 200, aborted: true, finished: false }]);
  });

  it("before the first byte also ends the stream", async () => {
    const turn = new AbortController();
    let gone = false;
    const server = await serve(
      ({ signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            gone = true;
          });
          turn.abort();
        }),
    );
    const events = await Array.fromAsync(modelAt(server.url).stream(question(), turn.signal));
    expect(events).toEqual([failed("aborted", "the request was aborted")]);
    await eventually(() => gone);
    await server.close();
  });

  it("before the call sends nothing", async () => {
    expect(await Array.fromAsync(hosted.model.stream(question(), AbortSignal.abort()))).toEqual([failed("aborted")]);
    expect(hosted.local.log).toEqual([]);
  });

  it("by a reader who stops reading also closes the connection", async () => {
    hosted.local.script([{ chunks: [{ text: "so" }, { hang: true }] }]);
    for await (const _ of hosted.model.stream(question(), new AbortController().signal)) break;
    await eventually(() => hosted.local.log[0]?.aborted === true);
  });
});

it("a stream with nothing but keep-alives reaches the idle timeout, and its request is aborted", async () => {
  const clock = createTestClock(0);
  hosted.local.script([
    { chunks: [{ text: "so" }, ...Array.from({ length: 50 }, () => ({ comment: true }) as const), { hang: true }] },
  ]);
  const limits = { firstTokenTimeoutMs: 300_000, streamTimeoutMs: 120_000 };
  let heard = "";
  const params = {
    model: hosted.model,
    timers: clock.timers,
    clock: clock.now,
    limits,
    signal: new AbortController().signal,
    ownName: "Parley",
    toolNames: [],
    stopFlag: () => null,
    onText: (text: string) => {
      heard = text;
    },
  };
  const result = streamOnce(params, question());
  await eventually(() => heard === "so");
  await clock.advance(120_000);
  expect(await result).toMatchObject({ status: "timeout", accumulatedText: "so" });
  await eventually(() => hosted.local.log[0]?.aborted === true);
  expect(clock.pending()).toBe(0);
});

describe("a request", () => {
  const schemas = createToolRegistry(tools).schemas();
  const bodies = () => hosted.local.log.map(({ body }) => body as Record<string, unknown>);

  it("carries the system prompt, the conversation, the tools and the request for a token count", async () => {
    await collectEvents(hosted, { chunks: [{ text: "hi" }] }, question("hello", { tools: schemas }));
    expect(bodies()).toEqual([
      {
        model: "parley-local",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "hello" },
        ],
        tools: schemas.map((tool) => ({ type: "function", function: tool })),
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
  });

  it("without tools has no field for them", async () => {
    await collectEvents(hosted, { chunks: [{ text: "hi" }] });
    expect(Object.keys(bodies()[0] ?? {})).toEqual(["model", "messages", "stream", "stream_options"]);
  });

  it("gives a strict provider what its model said, calls and results included", async () => {
    const calls = [
      { id: "a", name: "roll_dice", arguments: '{"notation":"3d6"}' },
      { id: "b", name: "roll_dice", arguments: "" },
      { id: "c", name: "roll_dice", arguments: '{"broken' },
      { id: "d", name: "roll_dice", arguments: "[1]" },
      { id: "e", name: "roll_dice", arguments: JSON.stringify('{"notation":"2d6"}') },
    ];
    const messages: Message[] = [
      { role: "user", text: "roll" },
      { role: "assistant", text: "I roll.", calls },
      ...calls.map(({ id }): Message => ({ role: "tool", callId: id, text: `{"of":"${id}"}` })),
      { role: "assistant", text: "", calls: [] },
      { role: "user", text: "and?" },
    ];
    expect(
      last(await collectEvents(hosted, { chunks: [{ text: "ok" }] }, question("", { messages, tools: schemas }))),
    ).toEqual(ended());
    const sent = bodies()[0]?.messages as { tool_calls?: { function: { arguments: string } }[] }[];
    expect(sent[2]?.tool_calls?.map((call) => call.function.arguments)).toEqual([
      '{"notation":"3d6"}',
      "{}",
      "{}",
      "{}",
      // Encoded twice, it was read and ran.
      '{"notation":"2d6"}',
    ]);
  });

  it.each(["", "two words", "functions.roll_dice", "rôle", "x".repeat(65), "名前"])(
    "carries a call with the invalid name %j in a form that every provider accepts",
    async (name) => {
      const messages: Message[] = [
        { role: "user", text: "roll" },
        { role: "assistant", text: "", calls: [{ id: "a", name, arguments: "{}" }] },
        { role: "tool", callId: "a", text: "{}" },
      ];
      const events = await collectEvents(hosted, { chunks: [{ text: "ok" }] }, question("", { messages }));
      expect(last(events)).toEqual(ended());
    },
  );
});

it("a tool without parameters is described in a form that a strict provider accepts", async () => {
  const ping = defineTool({
    name: "ping",
    description: "Pings.",
    input: object({}),
    category: "safe",
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    execute: () => ({ ok: true, data: null }),
  });
  const tools = createToolRegistry([ping]).schemas();
  expect(last(await collectEvents(hosted, { chunks: [{ text: "ok" }] }, question("hi", { tools })))).toEqual(ended());
});

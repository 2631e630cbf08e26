// Workers AI behind the model's client: both stream formats, whole objects, calls, and every error of Cloudflare's list.
import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../src/core/transcript/transcript.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { createWorkersAiFetch } from "../../src/model/workers-ai.ts";
import { createNativeReader } from "../../src/model/workers-ai-answer.ts";
import type { Model } from "../../src/turn/ports.ts";
import { createTurnHarness } from "../support/turn-harness.ts";
import { says, tool } from "../support/turn-script.ts";
import { question } from "./hosted.ts";

/** What the binding answers, one entry per call: an answer, or an error to throw. */
type Answer = Response | Error;

function workersAi(...answers: Answer[]): {
  model: Model;
  asked: { model: string; inputs: Record<string, unknown> }[];
} {
  const asked: { model: string; inputs: Record<string, unknown> }[] = [];
  const ai = {
    async run(model: string, inputs: object) {
      asked.push({ model, inputs: inputs as Record<string, unknown> });
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error("no answer");
      return answer;
    },
  };
  const fetch = createWorkersAiFetch(ai);
  return {
    asked,
    model: createOpenAiModel({ model: "@cf/zai-org/glm-4.7-flash", baseUrl: "http://x", apiKey: "", fetch }),
  };
}

/** A stream in pieces of a few bytes, so that no line comes whole. */
function stream(...events: (object | string)[]): Response {
  const text = events.map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}\n\n`).join("");
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const collect = (answer: Answer, request = question()) =>
  Array.fromAsync(workersAi(answer).model.stream(request, new AbortController().signal));

const USAGE = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 };
const READ = { inputTokens: 9, outputTokens: 2 };
const text = (words: string) => ({ kind: "text", text: words });
const piece = { kind: "call_piece", text: expect.any(String) };
const ended = (calls: object[] = []) => ({
  kind: "end",
  finishReason: calls.length > 0 ? "tool_calls" : "stop",
  calls,
  usage: READ,
});
const CALL = { id: "c1", name: "roll_dice", arguments: '{"sides":6}' };

describe("a stream", () => {
  it("in OpenAI's format may have a bare number instead of its text", async () => {
    const last = { ...chunk({ content: "." }, "stop"), usage: USAGE };
    const answer = stream(chunk({ content: "In " }), chunk({ content: 7 }), chunk({ content: 0 }), last, "[DONE]");
    expect(await collect(answer)).toEqual([text("In "), text("7"), text("0"), text("."), ended()]);
  });

  it("in OpenAI's format is read as it is", async () => {
    const answer = stream(
      chunk({ reasoning_content: "Hm" }),
      chunk({ content: "Hé" }),
      { ...chunk({ content: "llo" }, "stop"), usage: USAGE },
      "[DONE]",
    );
    expect(await collect(answer)).toEqual([{ kind: "reasoning", text: "Hm" }, text("Hé"), text("llo"), ended()]);
  });

  it("in the native format gives its text without the padding, and its tokens", async () => {
    const answer = stream(
      { response: "Hé", p: "abcdef" },
      { response: "llo" },
      { response: "", usage: USAGE },
      "[DONE]",
    );
    expect(await collect(answer)).toEqual([text("Hé"), text("llo"), ended()]);
  });

  it("in the native format keeps the line separators of Unicode", async () => {
    const answer = stream({ response: "a\u2028b" }, { response: "", usage: USAGE }, "[DONE]");
    expect(await collect(answer)).toEqual([text("a\u2028b"), ended()]);
  });

  it("in the native format may send a number or an object instead of text", async () => {
    const answer = stream({ response: 42 }, { response: { a: 1 } }, { response: null, usage: USAGE }, "[DONE]");
    expect(await collect(answer)).toEqual([text("42"), text('{"a":1}'), ended()]);
  });

  it.each([
    ["OpenAI's", (calls: object[]) => chunk({ tool_calls: calls }), chunk({}, "tool_calls")],
    ["the native", (calls: object[]) => ({ tool_calls: calls }), { response: "" }],
  ])("in %s format joins a call from its pieces and ignores the closing one", async (_, wrap, last) => {
    const answer = stream(
      wrap([{ id: "c1", type: "function", index: 0, function: { name: "roll_dice" } }]),
      wrap([{ index: 0, function: { arguments: '{"sides"' } }]),
      wrap([{ index: 0, function: { arguments: ":6}" } }]),
      wrap([{ id: null, index: 0, type: "function", function: { name: null } }]),
      { ...last, usage: USAGE },
      "[DONE]",
    );
    const events = await collect(answer);
    expect(events.filter(({ kind }) => kind !== "call_piece")).toEqual([ended([CALL])]);
  });

  it("in either format keeps every digit of an id in arguments that are an object", async () => {
    const call = '[{"name":"look","arguments":{"message":1311111111111111111,"at":[-9007199254740993,7]}}]';
    for (const last of [`{"tool_calls":${call}}`, `{"choices":[{"index":0,"delta":{"tool_calls":${call}}}]}`]) {
      const end = (await collect(stream(last, chunk({}, "tool_calls"), "[DONE]"))).at(-1);
      const [{ arguments: read }] = end?.kind === "end" ? (end.calls as [ToolCall]) : [{ arguments: "" }];
      expect(read).toBe('{"message":"1311111111111111111","at":["-9007199254740993",7]}');
    }
  });

  it("in the native format may bring whole calls, each of which gets its own id", async () => {
    const call = (sides: number) => ({ name: "roll_dice", arguments: { sides } });
    const events = await collect(stream({ tool_calls: [call(6), call(8)], usage: USAGE }, "[DONE]"));
    expect(events.at(-1)).toEqual(
      ended([
        { id: "call-0", name: "roll_dice", arguments: '{"sides":6}' },
        { id: "call-1", name: "roll_dice", arguments: '{"sides":8}' },
      ]),
    );
  });

  it.each([
    ["OpenAI's", chunk({ content: "Hel" })],
    ["the native", { response: "Hel" }],
  ])("in %s format that stops without its end was cut off", async (_, first) => {
    expect((await collect(stream(first))).at(-1)).toMatchObject({ kind: "failed", failure: { reason: "bad_stream" } });
  });

  it("fails with the reason when it turns into an error", async () => {
    const error = { errors: [{ code: 3040, message: "Capacity temporarily exceeded" }] };
    expect((await collect(stream({ response: "Hel" }, error))).at(-1)).toMatchObject({
      kind: "failed",
      failure: { reason: "overloaded" },
    });
  });
});

describe("a whole object instead of a stream", () => {
  it.each([
    [
      "chat.completion",
      { choices: [{ message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }], usage: USAGE },
    ],
    ["the older one", { response: "Hello", usage: USAGE }],
    ["the older one in REST's wrapping", { success: true, result: { response: "Hello", usage: USAGE } }],
  ])("of the shape %s is an answer", async (_, json) => {
    expect(await collect(Response.json(json))).toEqual([text("Hello"), ended()]);
  });

  it.each([
    [
      "chat.completion",
      {
        choices: [
          {
            message: {
              content: null,
              tool_calls: [{ id: "c1", type: "function", function: { name: "roll_dice", arguments: '{"sides":6}' } }],
            },
            finish_reason: "tool_calls",
          },
        ],
        usage: USAGE,
      },
      "c1",
    ],
    [
      "the older one",
      { response: null, tool_calls: [{ name: "roll_dice", arguments: { sides: 6 } }], usage: USAGE },
      "call-0",
    ],
  ])("of the shape %s may bring calls", async (_, json, id) => {
    expect(await collect(Response.json(json))).toEqual([piece, ended([{ ...CALL, id }])]);
  });

  it.each([
    ["different tools, the first without arguments", [{ name: "look" }, { name: "roll_dice", arguments: "{}" }]],
    ["the same tool, without arguments", [{ name: "look", arguments: "" }, { name: "look" }]],
    [
      "the same tool, with broken arguments",
      [
        { name: "look", arguments: '{"at' },
        { name: "look", arguments: "{}" },
      ],
    ],
  ])("may bring several calls without ids, each of which gets its own: %s", async (_, functions) => {
    const message = { content: null, tool_calls: functions.map((called) => ({ type: "function", function: called })) };
    const events = await collect(Response.json({ choices: [{ message, finish_reason: "tool_calls" }] }));
    const end = events.at(-1);
    const calls = end?.kind === "end" ? end.calls : [];
    expect(calls.map(({ name, arguments: args }) => ({ name, args }))).toEqual(
      functions.map(({ name, arguments: args = "" }) => ({ name, args })),
    );
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });
});

it("sends OpenAI's body without null contents, and always a limit under the older name", async () => {
  const { model, asked } = workersAi(stream({ response: "Hi", usage: USAGE }, "[DONE]"));
  const messages = [
    { role: "user" as const, text: "hello" },
    { role: "assistant" as const, text: "", calls: [CALL] },
    { role: "tool" as const, callId: "c1", text: "4" },
  ];
  await Array.fromAsync(model.stream(question("hello", { messages }), new AbortController().signal));
  expect(asked[0]?.model).toBe("@cf/zai-org/glm-4.7-flash");
  expect(asked[0]?.inputs).toMatchObject({ stream: true, max_tokens: 8192, messages: [{}, {}, { content: "" }, {}] });
  expect(asked[0]?.inputs).not.toHaveProperty("model");
});

it("reports a call that is aborted as aborted, not as failed", async () => {
  const controller = new AbortController();
  controller.abort();
  const { model, asked } = workersAi(new Error("never asked"));
  expect(await Array.fromAsync(model.stream(question(), controller.signal))).toEqual([
    { kind: "failed", failure: { reason: "aborted", message: expect.any(String) } },
  ]);
  expect(asked).toEqual([]);
});

const QUOTA = "you have used up your daily free allocation of 10,000 neurons, please upgrade to Workers Paid plan";
const ERRORS = [
  [3036, 429, QUOTA, "no_credit"],
  [4006, 429, QUOTA, "no_credit"],
  [5035, 403, "Model requires Workers Paid", "no_credit"],
  [3040, 429, "Capacity temporarily exceeded, please try again.", "overloaded"],
  [3007, 408, "Request timeout", "overloaded"],
  [3008, 408, "Request timeout", "overloaded"],
  [3006, 413, "Request is too large", "context_too_long"],
  [5007, 400, "No such model @cf/none or task", "no_model"],
  [3042, 404, "Model not found", "no_model"],
  [5028, 410, "This model was deprecated on 2026-05-30. Please use an alternative model", "no_model"],
  [5016, 403, "Please agree to the licence first", "auth"],
  [3023, 403, "Account is blocked", "auth"],
] as const;

describe.each(ERRORS)("error %i", (code, status, message, reason) => {
  it("has its reason, thrown by the binding, answered as by REST, or answered by the binding itself", async () => {
    const thrown = new Error(`${code}: ${message}`);
    const answered = Response.json({ success: false, errors: [{ code, message }] }, { status });
    const own = { internalCode: code, name: "AiError", description: message, message: `AiError: ${message}` };
    for (const answer of [thrown, answered, Response.json(own, { status })])
      expect(await collect(answer)).toEqual([
        { kind: "failed", failure: { reason, code: String(code), message, status: expect.any(Number) } },
      ]);
  });
});

it("treats a thrown error without a code as a temporary fault", async () => {
  expect(await collect(new Error("internal error"))).toMatchObject([
    { kind: "failed", failure: { reason: "overloaded" } },
  ]);
});

it("continues with the next model when the free allowance ends in the middle of a turn, and runs no call twice", async () => {
  let runs = 0;
  const look = tool("look", () => ({ ok: true, data: ++runs }));
  const first = stream({ tool_calls: [{ name: "look", arguments: {} }], usage: USAGE }, "[DONE]");
  const { model, asked } = workersAi(first, new Error(`4006: ${QUOTA}`));
  const world = createTurnHarness({ models: [model, [says("From the other model.")]], tools: [look] });
  world.begin();
  await expect.poll(() => world.result()).toMatchObject({ kind: "ended", text: "From the other model." });
  // The quota is not requested again.
  expect([asked.length, runs, world.requests.length, world.faults]).toEqual([2, 1, 1, []]);
});

describe("a stream with one endless line", () => {
  it.each([
    ["is read piece by piece", 2 * 1024 * 1024, 64, "fulfilled"],
    ["is given up before it fills the memory", 16 * 1024 * 1024, 1024 * 1024, "rejected"],
  ])("%s", async (_, size, step, outcome) => {
    const piece = "x".repeat(step);
    const pieces = new ReadableStream<string>({
      start(controller) {
        for (let at = 0; at < size; at += step) controller.enqueue(piece);
        controller.close();
      },
    });
    const read = Array.fromAsync(pieces.pipeThrough(createNativeReader()));
    const [{ status }] = await Promise.allSettled([read]);
    expect(status).toBe(outcome);
  });
});

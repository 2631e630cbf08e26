// Golden requests: one conversation with all that can become of a call, as a model with tool calls reads it and as one without.
import { beforeAll, describe, expect, it } from "vitest";
import { object, string } from "zod";
import { type Message, repair, type ToolCall } from "../../src/core/transcript.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { createResultCache } from "../../src/toolkit/cache.ts";
import { fallbackMessages, fallbackPrompt } from "../../src/toolkit/fallback-format.ts";
import { createToolRegistry } from "../../src/toolkit/registry.ts";
import { toolMessageText } from "../../src/turn/function-response.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { benchWith, COUNTS, MemoryLedger, probe } from "./arrange.ts";

const look = probe(({ at }: { at: string }) => ({ ok: true, data: { sees: at } }), {
  name: "look",
  input: object({ at: string() }),
  cache: { scope: "turn" },
});
const pay = probe(() => ({ ok: true, data: "paid" }), { name: "pay", category: "async", hints: COUNTS });
const say = probe(() => ({ ok: true, data: "said" }), { name: "say", category: "terminal", hints: COUNTS });
const registry = createToolRegistry([look, pay, say]);

/** The calls of one answer: looked twice, asked for what is not there, half paid, spoke, and looked again. */
const calls: ToolCall[] = [
  { id: "a", name: "look", arguments: '{"at":"door"}' },
  { id: "a", name: "look", arguments: '{ "at": "door" }' },
  { id: "c", name: "lokk", arguments: "{}" },
  { id: "d", name: "pay", arguments: '{"sum":}' },
  { id: "e", name: "pay", arguments: "{}" },
  { id: "f", name: "say", arguments: "{}" },
  { id: "g", name: "look", arguments: '{"at":"sky"}' },
  { id: "h", name: "look", arguments: '{"at":"sea"}' },
];

let messages: Message[];
const seen: unknown[] = [];

beforeAll(async () => {
  // The life before this one had launched the payment.
  const ledger = new MemoryLedger();
  ledger.open({ key: "1:4", place: "1:4", turnId: "1", tool: "pay", args: "{}" });
  ledger.life++;
  const b = benchWith({ ledger, cache: createResultCache() }, look, pay, say);
  const results: Message[] = [];
  // The last call never came to a result: its life died.
  for (const [position, call] of calls.slice(0, -1).entries()) {
    const { meta, ...result } = await b.execute({ ...call }, { idempotencyKey: `1:${position}` });
    seen.push([result.status, meta.cached]);
    results.push({ role: "tool", callId: call.id, text: toolMessageText(call.name, result) });
  }
  messages = repair([
    { role: "user", text: "Mira: look at the door" },
    { role: "assistant", text: "", calls },
    ...results,
    { role: "assistant", text: "A door.", calls: [] },
  ]);
});

/** What the adapter would send. */
async function sent(request: ModelRequest): Promise<{ messages: unknown[]; tools?: unknown[] }> {
  let body = "";
  const model = createOpenAiModel({
    apiKey: "sk-test",
    baseUrl: "http://127.0.0.1/v1",
    model: "m",
    fetch: async (_url, init) => {
      body = String(init?.body);
      return new Response("{}", { status: 400 });
    },
  });
  await Array.fromAsync(model.stream(request, new AbortController().signal));
  return JSON.parse(body) as { messages: unknown[]; tools?: unknown[] };
}

const failure = (name: string, reason: unknown) =>
  JSON.stringify({ status: "tool_execution_failed", reason, tool_name: name });
const NO_RESULT = '{"status":"no_result","note":"no result; do not assume that it ran"}';
const results: [id: string, name: string, content: string][] = [
  ["a", "look", '{"sees":"door"}'],
  ["a", "look", '{"sees":"door"}'],
  ["c", "lokk", failure("lokk", "unknown tool: lokk. Did you mean look? Offered: look, pay, say")],
  ["d", "pay", failure("pay", "the arguments are not valid JSON; call again with a JSON object")],
  ["e", "pay", failure("pay", "the call was interrupted; outcome unknown, it may or may not have taken effect")],
  ["f", "say", '"said"'],
  ["g", "look", '{"sees":"sky"}'],
  ["h", "look", NO_RESULT],
];

it("the calls came to a run, a kept answer, an unknown tool, broken arguments, an interruption and an end", () => {
  expect(seen).toEqual([
    ["ok", false],
    ["ok", true],
    ["not_found", false],
    ["invalid_input", false],
    ["interrupted", false],
    ["ok", false],
    ["ok", false],
  ]);
});

describe("the request", () => {
  it("in the native format has every call with exactly one result, and only arguments that are JSON", async () => {
    const request = await sent({ system: "Be brief.", messages, tools: registry.schemas() });
    expect(request.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Mira: look at the door" },
      {
        role: "assistant",
        content: null,
        tool_calls: calls.map(({ id, name, arguments: text }) => ({
          id: expect.stringContaining(id),
          type: "function",
          function: { name, arguments: text === '{"sum":}' ? "{}" : text },
        })),
      },
      ...results.map(([id, , content]) => ({ role: "tool", tool_call_id: expect.stringContaining(id), content })),
      { role: "assistant", content: "A door." },
    ]);
    const names = (request.tools as { function: { name: string } }[]).map((tool) => tool.function.name);
    expect(names).toEqual(["look", "pay", "say"]);
  });

  it("in the fallback format has the same as text, and no field of tool calls", async () => {
    const system = `Be brief.\n\n${fallbackPrompt(registry.schemas())}`;
    const request = await sent({ system, messages: fallbackMessages(messages), tools: [] });
    const parameters = ['{"at":"door"}', '{"at":"door"}', "{}", "{}", "{}", "{}", '{"at":"sky"}', '{"at":"sea"}'];
    expect(request).toMatchObject({
      messages: [
        { role: "system", content: system },
        { role: "user", content: "Mira: look at the door" },
        {
          role: "assistant",
          content: calls
            .map(({ name }, at) => `{"tool":"${name}","parameters":${parameters[at]},"reasoning":""}`)
            .join("\n\n"),
        },
        { role: "user", content: results.map(([, name, json]) => `[TOOL RESULT: ${name}]\n${json}`).join("\n\n") },
        { role: "assistant", content: "A door." },
      ],
    });
    expect(JSON.stringify(request)).not.toMatch(/tool_calls|tool_call_id|"tools"/);
  });
});

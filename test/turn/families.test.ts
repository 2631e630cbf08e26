// Whole turns with one tool, through the real adapter, with servers as strict as each family of providers: a server refuses what its
// documentation, or a public report, says that it refuses.
import { expect, it } from "vitest";
import { withStep } from "../../src/core/money/usage.ts";
import { createOpenAiModel, type OpenAiParams } from "../../src/model/openai.ts";
import { callPiece, piece, sse, usage } from "../model/fixtures/stream.ts";
import { createTurnHarness } from "../support/turn-harness.ts";
import { tool } from "../support/turn-script.ts";
import { eventually } from "../support/web-server.ts";

interface Sent {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string }; extra_content?: unknown }[];
  tool_call_id?: string;
  [field: string]: unknown;
}
interface Body {
  messages: Sent[];
  tools?: object[];
  [field: string]: unknown;
}

/** A family: where it is, how it calls a tool, and what it says about a request that it does not accept. */
interface Family {
  at: Partial<OpenAiParams>;
  call: string;
  refuses: (body: Body) => string | undefined;
  status?: number;
  /** Requests of a turn with one call, including refused ones. */
  requests: number;
  /** Whether it refuses by an event within a successful response. */
  inStream?: true;
}

const answers = (messages: Sent[]) => messages.filter(({ role }) => role === "assistant");
const withCalls = (messages: Sent[]) => messages.filter(({ tool_calls: calls }) => calls);
const isOutOfTurn = (messages: Sent[]) =>
  messages.some(({ role }, at) => role !== "tool" && role === messages[at - 1]?.role);
const follows = (messages: Sent[], role: string, before: string) =>
  messages.some((message, at) => message.role === role && messages[at - 1]?.role === before);
const knownOnly = (message: Sent, ...more: string[]) =>
  Object.keys(message).find((name) => !["role", "content", "tool_calls", "tool_call_id", ...more].includes(name));
const stray = (messages: Sent[], ...more: string[]) =>
  messages.map((message) => knownOnly(message, ...more)).find((name) => name !== undefined);

const ask = (id: string, more: object = {}) => ({
  index: 0,
  id,
  type: "function",
  function: { name: "look", arguments: "{}" },
  ...more,
});
const plain = (id: string, ...before: object[]) =>
  sse(...before.map((delta) => piece(delta)), callPiece(ask(id)), piece({}, "tool_calls", { usage: usage(9, 2) }));

const FAMILIES: Record<string, Family> = {
  OpenAI: {
    at: { baseUrl: "https://api.openai.com/v1", model: "gpt-5.4" },
    call: plain("call_0123456789abcdef0123456789abcdef"),
    refuses: ({ messages, max_tokens: limit }) =>
      stray(messages) ?? (limit === undefined ? undefined : "Unsupported parameter: 'max_tokens'"),
    requests: 2,
  },
  "OpenAI, from GPT-5.6 on": {
    at: { baseUrl: "https://api.openai.com/v1", model: "gpt-5.6" },
    call: plain("call_1"),
    refuses: ({ tools, reasoning_effort: effort }) =>
      tools && effort !== "none" ? "Function tools with reasoning_effort are not supported for gpt-5.6." : undefined,
    requests: 3,
  },
  Mistral: {
    at: { baseUrl: "https://api.mistral.ai/v1", model: "mistral-medium-latest" },
    call: plain("gSIMJiOkT"),
    refuses: ({ messages, ...body }) => {
      const extra = ["stream_options", "max_completion_tokens"].find((field) => field in body) ?? stray(messages);
      if (extra) return `Extra inputs are not permitted: ${extra}`;
      if (follows(messages, "user", "tool")) return "Unexpected role 'user' after role 'tool'";
      return withCalls(messages).some(({ tool_calls: calls = [] }) =>
        calls.some(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(id)),
      )
        ? "Tool call id must be a-z, A-Z, 0-9, with a length of 9."
        : undefined;
    },
    status: 422,
    requests: 2,
  },
  "Mistral's model under another name": {
    at: { model: "house-model" },
    call: plain("call_1"),
    refuses: ({ messages }) => {
      if (messages[0]?.role === "system") return "Only user, assistant and tool roles are supported, got system.";
      if (isOutOfTurn(messages)) return "After the optional system message, conversation roles must alternate";
      return messages.some(({ tool_call_id: id }) => id && id.length !== 9) ? "ids need a length of 9." : undefined;
    },
    requests: 4,
  },
  DeepSeek: {
    at: { baseUrl: "https://api.deepseek.com", model: "deepseek-v4" },
    call: plain("call_1"),
    refuses: ({ messages }) =>
      answers(messages).every((message) => "reasoning_content" in message)
        ? undefined
        : "The `reasoning_content` in the thinking mode must be passed back to the API.",
    requests: 2,
  },
  Kimi: {
    at: { baseUrl: "https://api.moonshot.ai/v1", model: "kimi-k2.6" },
    call: plain("look:0", { reasoning_content: "Hm." }),
    refuses: ({ messages }) =>
      withCalls(messages).every(({ reasoning_content: said }) => said)
        ? undefined
        : "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
    requests: 2,
  },
  "Groq, with a model that thinks": {
    at: { baseUrl: "https://api.groq.com/openai/v1", model: "openai/gpt-oss-120b" },
    call: plain("fc_1", { reasoning: "Hm." }),
    refuses: ({ messages }) => {
      const extra = stray(messages, "reasoning");
      return extra && `'messages.2' : property '${extra}' is unsupported`;
    },
    requests: 2,
  },
  Cerebras: {
    at: { baseUrl: "https://api.cerebras.ai/v1", model: "zai-glm-5" },
    call: plain("c1", { reasoning_content: "Hm." }),
    refuses: ({ messages }) =>
      messages.some((message) => "reasoning_content" in message)
        ? "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported"
        : undefined,
    requests: 3,
  },
  Gemini: {
    at: { baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai", model: "gemini-3.5-pro" },
    call: sse(
      callPiece({ ...ask(""), extra_content: { google: { thought_signature: "s1" } } }),
      piece({}, "stop", { usage: usage(9, 2) }),
    ),
    refuses: ({ messages }) =>
      withCalls(messages).every(({ tool_calls: [first] = [] }) => first?.extra_content)
        ? undefined
        : "Function call is missing a thought_signature in functionCall parts.",
    requests: 2,
  },
  "Claude behind LiteLLM, thinking": {
    at: { baseUrl: "http://litellm.test", model: "claude-opus", params: { reasoning_effort: "low" } },
    call: plain(
      "toolu_1",
      { reasoning_content: "Hm.", thinking_blocks: [{ type: "thinking", thinking: "Hm.", signature: "" }] },
      { thinking_blocks: [{ type: "thinking", thinking: "", signature: "s1" }] },
    ),
    refuses: ({ messages }) =>
      withCalls(messages).every(
        ({ thinking_blocks: blocks }) => (blocks as { signature?: string }[] | undefined)?.[0]?.signature,
      )
        ? undefined
        : "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.",
    requests: 2,
  },
  "a gateway to Bedrock": {
    at: { baseUrl: "http://bedrock.test" },
    call: plain("tooluse_1"),
    refuses: ({ tool_choice: choice }) => (choice === "none" ? "Bedrock doesn't support tool_choice=none." : undefined),
    requests: 2,
  },
  "LM Studio, with gpt-oss": {
    at: { baseUrl: "http://127.0.0.1:1234/v1", model: "gpt-oss-20b" },
    call: plain("1", { reasoning_content: "Hm." }, { content: "I look." }),
    refuses: ({ messages }) =>
      withCalls(messages).some(({ content, reasoning_content: thought }) => content && thought)
        ? 'Error rendering prompt with jinja template: "Cannot pass both content and thinking in an assistant message"'
        : undefined,
    requests: 3,
    inStream: true,
  },
  "LM Studio, with an older model": {
    at: { baseUrl: "http://127.0.0.1:1234/v1", model: "tiny" },
    call: plain("1"),
    refuses: ({ messages }) =>
      messages.some(({ content }) => content === null)
        ? "Invalid 'content': 'content' field must be a string or an array of objects."
        : undefined,
    requests: 3,
    inStream: true,
  },
  "Ollama, with a model without tools": {
    at: { baseUrl: "http://127.0.0.1:11434/v1", model: "gemma3:4b" },
    call: sse(piece({ content: '{"tool": "look", "parameters": {}}' }), piece({}, "stop", { usage: usage(9, 2) })),
    refuses: ({ messages, tools }) => {
      if (tools) return "registry.ollama.ai/library/gemma3:4b does not support tools";
      return isOutOfTurn(messages) ? "Conversation roles must alternate user/assistant" : undefined;
    },
    requests: 3,
  },
};

/** A turn of at most two steps: a call, and the answer that must do without one. */
async function run({ at, call, refuses, status = 400, inStream }: Family, maxIterations: number) {
  const bodies: Body[] = [];
  const refused: string[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = (await new Response(init?.body).json()) as Body;
    bodies.push(body);
    const message = refuses(body);
    if (message === undefined) {
      const hasResult = body.messages.some(
        ({ role, content }) => role === "tool" || String(content).includes("[TOOL RESULT: look]"),
      );
      return new Response(hasResult ? sse(piece({ content: "Seen." }, "stop", { usage: usage(20, 3) })) : call);
    }
    refused.push(message);
    const error = { error: { message } };
    return inStream
      ? new Response(`event: error\ndata: ${JSON.stringify(error)}\n\n`)
      : Response.json(error, { status });
  };
  const model = createOpenAiModel({
    apiKey: "",
    baseUrl: "http://m.test",
    model: "m",
    fetch,
    maxOutputTokens: 500,
    ...at,
  });
  const world = createTurnHarness({
    models: [model],
    tools: [tool("look", () => ({ ok: true, data: { seen: 1 } }))],
    limits: { maxIterations },
  });
  world.begin();
  await eventually(() => world.result() !== null);
  return { ended: await world.end(), stored: world.turn().usage, bodies, refused };
}

it.each(Object.entries(FAMILIES))("a turn with a tool is answered by %s", async (_, family) => {
  const { ended, stored, bodies, refused } = await run(family, 5);
  expect([ended.ending.kind, refused.length]).toEqual(["completed", family.requests - 2]);
  expect(ended.personaResponses[0]?.text).toMatch(/Seen\.$/);
  expect(bodies).toHaveLength(family.requests);
  expect(withStep(stored, ended.answer?.usage ?? null)).toMatchObject({ inputTokens: 29, outputTokens: 5 });
});

it.each(Object.entries(FAMILIES))(
  "the last step of a turn, in which no tool may be called, is answered by %s",
  async (_, family) => {
    const { ended, bodies } = await run(family, 2);
    expect(ended.ending.kind).toBe("iteration_limit");
    expect(ended.personaResponses[0]?.text).toMatch(/Seen\.$/);
    expect(bodies.at(-1)?.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("no tool is available anymore"),
    });
  },
);

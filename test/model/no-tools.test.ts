// A model whose server accepts no tools: what it is asked from then on.
import { expect, it } from "vitest";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { piece, sse } from "./fixtures/stream.ts";
import { question } from "./hosted.ts";

const DONE = sse(piece({ content: "ok" }, "stop"));

it.each([
  ["it gets them as text if no other model follows", { isLastModel: true }, {}, "fallback"],
  ["they are left to the next model if there is one", {}, {}, "native"],
  ["its owner's setting decides", { isLastModel: true }, { toolMode: "native" }, "native"],
] as const)("tools that a model's server refuses: %s", async (_, turn, params, toolMode) => {
  const message = "registry.ollama.ai/library/gemma3:4b does not support tools";
  let requests = 0;
  const fetch = async () => {
    requests++;
    return Response.json({ error: { message } }, { status: 400 });
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch, ...params });
  const events = await Array.fromAsync(model.stream(question("", turn), new AbortController().signal));
  expect(events.at(-1)).toMatchObject({ kind: "failed", failure: { reason: "no_tools" } });
  expect([requests, model.toolMode]).toEqual([1, toolMode]);
});

it.each([
  [
    "as before",
    "Function tools with reasoning_effort are not supported for gpt-6-astra in /v1/chat/completions. Use /v1/responses.",
  ],
  [
    "the effort",
    "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low' and 'high'.",
  ],
])(
  "a model of OpenAI that accepts no tools even without thinking gets them as text, and thinks: it refuses %s",
  async (_, second) => {
    const first =
      "Function tools with reasoning_effort are not supported for gpt-6-astra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
    const asked: unknown[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      const body = (await new Response(init?.body).json()) as Record<string, unknown>;
      asked.push([body.tools !== undefined, body.reasoning_effort]);
      const message = body.reasoning_effort === undefined ? first : second;
      return body.tools ? Response.json({ error: { message } }, { status: 400 }) : new Response(DONE);
    };
    const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
    const tools = [{ name: "look", description: "Looks.", parameters: { type: "object", properties: {} } }];
    const ask = (offered: typeof tools) =>
      Array.fromAsync(model.stream(question("", { tools: offered, isLastModel: true }), new AbortController().signal));
    expect((await ask(tools)).at(-1)).toMatchObject({ kind: "failed" });
    expect(model.toolMode).toBe("fallback");
    expect((await ask([])).at(-1)).toMatchObject({ kind: "end" });
    expect(asked).toEqual([
      [true, undefined],
      [true, "none"],
      [false, undefined],
    ]);
  },
);

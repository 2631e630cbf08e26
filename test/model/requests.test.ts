// What a request to each provider looks like: its address, key and headers, the fields of its body, and what is sent back of an answer.
import { describe, expect, it } from "vitest";
import type { Message, NativeParts } from "../../src/core/transcript/transcript.ts";
import { createOpenAiModel, type OpenAiParams } from "../../src/model/openai.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { dataLine, piece, sse } from "./fixtures/stream.ts";
import { question } from "./hosted.ts";

interface Sent {
  url: string;
  headers: Headers;
  body: Record<string, unknown> & { messages: Record<string, unknown>[] };
}

const DONE = sse(piece({ content: "ok" }, "stop"));

/** The request that a model sends, and the events of its answer. */
async function send(over: Partial<OpenAiParams>, request: ModelRequest = question(), answer = DONE) {
  const sent: Sent[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    sent.push({
      url: String(url),
      headers: new Headers(init?.headers),
      body: (await new Response(init?.body).json()) as Sent["body"],
    });
    return new Response(answer);
  };
  const model = createOpenAiModel({
    apiKey: "k-12345678",
    baseUrl: "http://model.test/v1",
    model: "m",
    fetch,
    ...over,
  });
  const events = await Array.fromAsync(model.stream(request, new AbortController().signal));
  const [first] = sent;
  if (!first) throw new Error("nothing was sent");
  return { ...first, events, model };
}

const tools = [{ name: "look", description: "Looks.", parameters: { type: "object", properties: {} } }];

describe("the address and the key", () => {
  it("are a path and a bearer token", async () => {
    const { url, headers } = await send({});
    expect([url, headers.get("authorization")]).toEqual(["http://model.test/v1/chat/completions", "Bearer k-12345678"]);
  });

  it("are different for Azure: the path comes before a query, and the key has its own header", async () => {
    const { url, headers } = await send({
      baseUrl: "https://x.openai.azure.com/openai/deployments/d?api-version=2026-01-01",
    });
    expect(url).toBe("https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2026-01-01");
    expect([headers.get("authorization"), headers.get("api-key")]).toEqual([null, "k-12345678"]);
  });

  it("include no key if a header is the key", async () => {
    expect((await send({ apiKey: "" })).headers.get("authorization")).toBeNull();
    const { headers } = await send({ apiKey: "", secretHeaders: { Authorization: "Bearer other" } });
    expect(headers.get("authorization")).toBe("Bearer other");
  });

  it("may be joined by more headers, which never replace those of the body", async () => {
    const { headers } = await send({
      headers: { "X-Title": "Parley", "content-type": "text/plain" },
      secretHeaders: { "cf-aig-authorization": "Bearer gateway-token" },
    });
    expect(
      ["x-title", "cf-aig-authorization", "content-type", "authorization"].map((name) => headers.get(name)),
    ).toEqual(["Parley", "Bearer gateway-token", "application/json", "Bearer k-12345678"]);
  });

  it("stay out of a failure, and so do secret headers", async () => {
    const answer = dataLine({ error: { message: "bad gateway-token and k-12345678" } });
    const { events } = await send(
      { secretHeaders: { "cf-aig-authorization": "Bearer gateway-token" } },
      question(),
      answer,
    );
    expect(events).toMatchObject([{ failure: { message: "bad [key] and [key]" } }]);
  });
});

it("a key as short as a word is left in what the provider says", async () => {
  const answer = dataLine({ error: { message: "no local model" } });
  const { events } = await send({ apiKey: "local" }, question(), answer);
  expect(events).toMatchObject([{ failure: { message: "no local model" } }]);
});

describe("params", () => {
  it("are added to the body", async () => {
    const params = { temperature: 0.2, reasoning_effort: "low", top_p: 0.9, provider: { order: ["x"] } };
    expect((await send({ params })).body).toMatchObject(params);
  });

  it("never replace a field that decides what the answer is", async () => {
    const params = {
      model: "x",
      messages: [],
      tools: [],
      tool_choice: "required",
      stream: false,
      stream_options: {},
      n: 3,
    };
    const { body } = await send({ params });
    expect(Object.keys(body)).toEqual(["model", "messages", "stream", "stream_options"]);
    expect(body).toMatchObject({ model: "m", stream: true, stream_options: { include_usage: true } });
  });

  it.each([
    [9, 5, 5],
    [9, 50, 9],
    [undefined, 5, 5],
  ])(
    "limit an answer to the lesser of the model's %j and the request's %j tokens",
    async (ofModel, ofRequest, limit) => {
      const request = { ...question(), maxOutputTokens: ofRequest };
      const { body } = await send(ofModel === undefined ? {} : { maxOutputTokens: ofModel }, request);
      expect(body.max_completion_tokens).toBe(limit);
    },
  );

  it("may contain the limit of an answer themselves", async () => {
    expect((await send({ maxOutputTokens: 9, params: { max_tokens: 7 } })).body).not.toHaveProperty(
      "max_completion_tokens",
    );
    expect((await send({ maxOutputTokens: 9, params: { max_completion_tokens: 7 } })).body.max_completion_tokens).toBe(
      7,
    );
  });
});

describe("a field or form that only some providers know:", () => {
  const at = async (host: string, model = "m", request = question()) =>
    (await send({ baseUrl: `https://${host}/v1`, model, maxOutputTokens: 9, cacheKey: "c0ffee" }, request)).body;

  it.each([
    ["api.openai.com", "c0ffee", "max_completion_tokens"],
    ["api.mistral.ai", "c0ffee", "max_tokens"],
    ["api.moonshot.ai", "c0ffee", "max_tokens"],
    ["api.deepseek.com", undefined, "max_tokens"],
    ["api.together.xyz", undefined, "max_tokens"],
    ["api.groq.com", undefined, "max_completion_tokens"],
    ["openai.com.evil.test", undefined, "max_completion_tokens"],
  ])("%s gets the cache key %s and the limit as %s", async (host, key, limit) => {
    const body = await at(host);
    expect([body.prompt_cache_key, body[limit]]).toEqual([key, 9]);
  });

  it.each([
    ["api.mistral.ai", undefined],
    ["api.openai.com", { include_usage: true }],
  ])("%s is asked for the usage by %j: Mistral gives it unasked and refuses the field", async (host, field) => {
    expect((await at(host)).stream_options).toEqual(field);
  });

  it("a mark for the cache, only for Anthropic's models behind OpenRouter", async () => {
    const cache_control = { type: "ephemeral" };
    expect((await at("openrouter.ai", "anthropic/claude-x")).messages).toEqual([
      { role: "system", content: [{ type: "text", text: "Be brief.", cache_control }] },
      { role: "user", content: [{ type: "text", text: "hello", cache_control }] },
    ]);
    expect((await at("openrouter.ai", "x/y")).messages[0]).toEqual({ role: "system", content: "Be brief." });
  });

  const called: Message[] = [
    { role: "user", text: "go" },
    { role: "assistant", text: "", calls: [{ id: "functions.look:0", name: "look", arguments: "{}" }] },
    { role: "tool", callId: "functions.look:0", text: "{}" },
    { role: "user", text: "and?" },
  ];

  it.each([
    ["api.mistral.ai", "m"],
    ["127.0.0.1", "Mistral-Small-3.2-24B"],
  ])("ids of nine characters, the same for a call and its result: %s, %s", async (host, model) => {
    const { messages } = await at(host, model, question("", { messages: called, tools }));
    const [id] = (messages[2]?.tool_calls ?? []) as { id: string }[];
    expect(id?.id).toMatch(/^[a-z0-9]{9}$/);
    expect(messages[3]?.tool_call_id).toBe(id?.id);
    const other = await at("api.openai.com", "m", question("", { messages: called }));
    expect(other.messages[3]?.tool_call_id).toBe("functions.look:0");
  });

  it.each([
    ["api.mistral.ai", "mistral-large-latest", ["user", "assistant", "tool", "assistant", "user"]],
    ["openrouter.ai", "mistralai/devstral-2512", ["user", "assistant", "tool", "assistant", "user"]],
    ["api.openai.com", "gpt-5-mini", ["user", "assistant", "tool", "user"]],
  ])(
    "a message of the model between a result and a person, for Mistral's models: %s, %s",
    async (host, model, roles) => {
      const { messages } = await at(host, model, question("", { messages: called, tools }));
      expect(messages.slice(1).map(({ role }) => role)).toEqual(roles);
      expect(messages.filter(({ role, content }) => role === "assistant" && content === "")).toEqual([]);
    },
  );

  const inARow: Message[] = [
    { role: "user", text: "overheard" },
    { role: "user", text: "go" },
    ...called.slice(1, 3),
    { role: "assistant", text: "Done.", calls: [] },
    { role: "assistant", text: "Really.", calls: [] },
  ];

  it.each([
    ["127.0.0.1", "devstral-small-2", ["user", "assistant", "tool", "assistant"]],
    ["127.0.0.1", "google/gemma-3-27b-it", ["user", "assistant", "tool", "assistant"]],
    ["127.0.0.1", "qwen3", ["user", "user", "assistant", "tool", "assistant", "assistant"]],
  ])("one message for each speaker in a row, if chat templates want turns: %s, %s", async (host, model, roles) => {
    const { messages } = await at(host, model, question("", { messages: inARow, tools }));
    expect(messages.slice(1).map(({ role }) => role)).toEqual(roles);
    const said = messages.slice(1).map(({ content }) => content);
    expect(said.filter(Boolean).join("\n\n")).toBe("overheard\n\ngo\n\n{}\n\nDone.\n\nReally.");
  });

  it("plain text without tools, one speaker after the other", async () => {
    const over = { baseUrl: "https://api.perplexity.ai", model: "sonar" };
    const { body, model } = await send(over, question("", { messages: called, tools }));
    expect([model.toolMode, body.tools]).toEqual(["none", undefined]);
    expect(body.messages.slice(1)).toEqual([
      { role: "user", content: "go" },
      { role: "assistant", content: "…" },
      { role: "user", content: "{}\n\nand?" },
    ]);
  });
});

describe("reasoning that came with calls", () => {
  const thinks = (field: object) =>
    sse(
      piece({ content: "I look.", ...field }),
      piece({ tool_calls: [{ index: 0, id: "c1", function: { name: "look", arguments: "{}" } }] }),
      piece({}, "tool_calls"),
    );

  /** The assistant's message in the second step, after a first step with this answer, which is stored as JSON in between. */
  async function secondStep(answer: string, over: Partial<OpenAiParams> = {}, next: Partial<OpenAiParams> = over) {
    const end = (await send(over, question(), answer)).events.at(-1);
    if (end?.kind !== "end") throw new Error("the first step failed");
    const native =
      end.native === undefined ? {} : { native: JSON.parse(JSON.stringify(end.native)) as typeof end.native };
    const messages: Message[] = [
      { role: "user", text: "one" },
      { role: "assistant", text: "1", calls: [] },
      { role: "user", text: "two" },
      { role: "assistant", text: "I look.", calls: end.calls, ...native },
      { role: "tool", callId: "c1", text: "{}" },
    ];
    const { body } = await send(next, question("", { messages, tools }));
    return { earlier: body.messages[2], answer: body.messages[4] };
  }

  it.each(["reasoning_content", "reasoning", "reasoning_text"])("goes back in its field %s", async (field) => {
    expect((await secondStep(thinks({ [field]: "Hm." }))).answer).toMatchObject({ content: "I look.", [field]: "Hm." });
  });

  it("goes back as a part of the content if it came as one", async () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "I look." },
    ];
    expect((await secondStep(thinks({ content }))).answer).toMatchObject({ content });
  });

  it("goes back as its items if it came as items too", async () => {
    const reasoning_details = [{ type: "reasoning.text", index: 0, text: "Hm." }];
    const { answer } = await secondStep(thinks({ reasoning: "Hm.", reasoning_details }));
    expect(answer).toMatchObject({ reasoning_details });
    expect(answer).not.toHaveProperty("reasoning");
  });

  it("goes back with Anthropic's signatures behind LiteLLM, but not as a mere copy", async () => {
    const said = (thinking: string, more: object = {}) => ({
      thinking_blocks: [{ type: "thinking", thinking, ...more }],
    });
    const signed = [said("H", { signature: "" }), said("m.", { signature: null }), said("", { signature: "s1" })];
    const hidden = { thinking_blocks: [{ type: "redacted_thinking", data: "x" }] };
    const chunks = (deltas: object[]) => deltas.map((delta) => dataLine(piece(delta))).join("");
    const first = chunks([...signed, hidden].map((delta) => ({ ...delta, reasoning_content: "Hm." })));
    expect((await secondStep(first + thinks({}))).answer?.thinking_blocks).toEqual([
      { type: "thinking", thinking: "Hm.", signature: "s1" },
      { type: "redacted_thinking", data: "x" },
    ]);
    const { answer } = await secondStep(chunks([said("Hm."), said("", { signature: "" })]) + thinks({}));
    expect(answer).not.toHaveProperty("thinking_blocks");
  });

  it("does not go to another model", async () => {
    const { answer } = await secondStep(thinks({ reasoning_content: "Hm." }), { model: "m" }, { model: "other" });
    expect(answer).not.toHaveProperty("reasoning_content");
  });

  it.each([
    ["DeepSeek", { baseUrl: "https://api.deepseek.com", model: "deepseek-chat" }, "", ""],
    ["DeepSeek's V4 elsewhere", { model: "deepseek-v4-flash" }, "", ""],
    ["Kimi", { baseUrl: "https://api.moonshot.ai/v1", model: "kimi-k2.6" }, undefined, " "],
    ["a model that does not think", { model: "m" }, undefined, undefined],
  ])("is there for %s even if none came", async (_, over, earlier, answer) => {
    const found = await secondStep(thinks({}), over);
    expect([found.earlier?.reasoning_content, found.answer?.reasoning_content]).toEqual([earlier, answer]);
  });

  it("is also there for other calls, once a server has sent some", async () => {
    const native = { from: "m", details: [], ofCalls: {}, reasoning: { field: "reasoning_content", text: "Hm." } };
    const calls = [{ id: "c1", name: "look", arguments: "{}" }];
    const messages: Message[] = [
      { role: "user", text: "one" },
      { role: "assistant", text: "", calls, native },
      { role: "tool", callId: "c1", text: "{}" },
      { role: "assistant", text: "", calls },
      { role: "tool", callId: "c1", text: "{}" },
    ];
    const { body } = await send({}, question("", { messages, tools }));
    expect(body.messages.map((message) => message.reasoning_content)).toEqual([
      undefined,
      undefined,
      "Hm.",
      undefined,
      "",
      undefined,
    ]);
  });
});

it("a signature goes back with its call, whether it came inside the call or next to it", async () => {
  const native = (more: object) => ({ from: "m", details: [], ofCalls: {}, ...more });
  const calls = [{ id: "c1", name: "look", arguments: "{}" }];
  const extra = { google: { thought_signature: "s" } };
  for (const parts of [native({ ofCalls: { c1: extra } }), native({ extra })]) {
    const messages: Message[] = [
      { role: "user", text: "go" },
      { role: "assistant", text: "", calls, native: parts },
    ];
    const { body } = await send({}, question("", { messages, tools }));
    expect(body.messages[2]?.tool_calls).toMatchObject([{ id: "c1", extra_content: extra }]);
  }
});

it("Gemini gets its own placeholder for a missing signature once it has refused that, and from then on", async () => {
  const message =
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call `default_api:look`, position 2.";
  const asked: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = (await new Response(init?.body).json()) as Sent["body"];
    const calls = body.messages.flatMap(({ tool_calls: some = [] }) => [some as { extra_content?: unknown }[]]);
    const signed = calls.filter((some) => some.length > 0).map((some) => some.map((call) => call.extra_content));
    asked.push(signed);
    const refusal = [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }];
    return signed.some(([first]) => first === undefined) ? Response.json(refusal, { status: 400 }) : new Response(DONE);
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://model.test/v1", model: "gemini-3", fetch });
  const own = { google: { thought_signature: "s" } };
  const answer = (ids: string[], native?: NativeParts): Message[] => [
    {
      role: "assistant",
      text: "",
      calls: ids.map((id) => ({ id, name: "look", arguments: "{}" })),
      ...(native && { native }),
    },
    ...ids.map((callId): Message => ({ role: "tool", callId, text: "{}" })),
  ];
  const messages: Message[] = [
    { role: "user", text: "go" },
    // From another model: the channel's model was changed while the turn waited for a click.
    ...answer(["c1", "c2"]),
    ...answer(["c3", "c4"], { from: "gemini-3", details: [], ofCalls: { c3: own } }),
  ];
  const ask = () => Array.fromAsync(model.stream(question("", { messages, tools }), new AbortController().signal));
  for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
  const word = { google: { thought_signature: "skip_thought_signature_validator" } };
  const signed = [
    [word, undefined],
    [own, undefined],
  ];
  expect(asked).toEqual([
    [
      [undefined, undefined],
      [own, undefined],
    ],
    signed,
    signed,
  ]);
});

// What a server refuses once and a request can do without: the request is asked again without it, and so are all later ones.
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/core/transcript/transcript.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { piece, sse } from "./fixtures/stream.ts";
import { question } from "./hosted.ts";

const DONE = sse(piece({ content: "ok" }, "stop"));

const refusals: readonly (readonly [string, number, unknown])[] = [
  ["stream_options", 400, { error: { message: "Unrecognized request argument supplied: stream_options" } }],
  ["stream_options", 422, { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] }],
  ["stream_options", 400, 'json: unknown field "stream_options"'],
  ["max_completion_tokens", 400, { error: { message: "Unsupported parameter: 'max_completion_tokens'" } }],
];
/** A server that refuses with this answer while a request has one of these fields. */
function strict(refuse: (fields: string[]) => readonly [number, unknown] | undefined) {
  const asked: string[][] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const fields = Object.keys((await new Response(init?.body).json()) as object);
    asked.push(fields.filter((field) => /stream_options|max/.test(field)));
    const refused = refuse(fields);
    const text = typeof refused?.[1] === "string" ? refused[1] : JSON.stringify(refused?.[1]);
    return refused ? new Response(text, { status: refused[0] }) : new Response(DONE);
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", maxOutputTokens: 9, fetch });
  return { asked, ask: () => Array.fromAsync(model.stream(question(), new AbortController().signal)) };
}

it.each(refusals)(
  "%s is left out or renamed after a refusal with %i, and from then on",
  async (field, status, body) => {
    const { asked, ask } = strict((fields) => (fields.includes(field) ? [status, body] : undefined));
    for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
    const learned = field === "stream_options" ? ["max_completion_tokens"] : ["max_tokens", "stream_options"];
    expect(asked).toEqual([["max_completion_tokens", "stream_options"], learned, learned]);
  },
);

it("a stream that OpenAI refuses to an unverified organization becomes one whole answer, and from then on", async () => {
  const message =
    "Your organization must be verified to stream this model. Please go to the settings and click on Verify Organization.";
  const refusal = { error: { message, type: "invalid_request_error", param: "stream", code: "unsupported_value" } };
  const asked: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const { stream, stream_options: options } = (await new Response(init?.body).json()) as Record<string, unknown>;
    asked.push([stream, options]);
    const choice = { index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" };
    return stream ? Response.json(refusal, { status: 400 }) : Response.json({ choices: [choice] });
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
  const ask = () => Array.fromAsync(model.stream(question(), new AbortController().signal));
  const whole = [
    { kind: "text", text: "ok" },
    { kind: "end", finishReason: "stop", calls: [], usage: null },
  ];
  expect([await ask(), await ask()]).toEqual([whole, whole]);
  const inOne = [false, undefined];
  expect(asked).toEqual([[true, { include_usage: true }], inOne, inOne]);
});

it("OpenAI's newer models don't think while a tool is offered, once they have refused both, and think without tools", async () => {
  const message =
    "Function tools with reasoning_effort are not supported for gpt-5.6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
  const asked: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = (await new Response(init?.body).json()) as Record<string, unknown>;
    asked.push(body.reasoning_effort);
    const isRefused = body.tools !== undefined && body.reasoning_effort !== "none";
    return isRefused ? Response.json({ error: { message } }, { status: 400 }) : new Response(DONE);
  };
  const tools = [{ name: "look", description: "Looks.", parameters: { type: "object", properties: {} } }];
  for (const params of [{}, { reasoning_effort: "high" }]) {
    const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", params, fetch });
    for (const offered of [tools, tools, []]) {
      const request = question("", { tools: offered });
      const events = await Array.fromAsync(model.stream(request, new AbortController().signal));
      expect(events.at(-1)).toMatchObject({ kind: "end" });
    }
  }
  expect(asked).toEqual([undefined, "none", "none", undefined, "high", "none", "none", "high"]);
});

it("an order of speakers that the model's chat template refuses is changed, and from then on", async () => {
  const message = "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...";
  const roles: string[][] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const { messages } = (await new Response(init?.body).json()) as { messages: { role: string }[] };
    const asked = messages.map(({ role }) => role);
    roles.push(asked);
    const isInARow = asked.some((role, index) => role === asked[index - 1]);
    return isInARow ? Response.json({ error: { code: 500, message } }, { status: 500 }) : new Response(DONE);
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
  const messages: Message[] = [
    { role: "user", text: "overheard" },
    { role: "user", text: "go" },
  ];
  const ask = () => Array.fromAsync(model.stream(question("", { messages }), new AbortController().signal));
  for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
  expect(roles).toEqual([
    ["system", "user", "user"],
    ["system", "user"],
    ["system", "user"],
  ]);
});

it.each([
  ["Google, for Gemma", 400, "Developer instruction is not enabled for models/gemma-3-27b-it"],
  ["llama.cpp", 500, "Jinja Exception: System role not supported"],
  ["OpenAI, for o1-mini", 400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."],
])(
  "a system prompt that is refused becomes the beginning of the question, and from then on: %s",
  async (_, status, message) => {
    const asked: unknown[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      const { messages } = (await new Response(init?.body).json()) as { messages: { role: string; content: string }[] };
      asked.push(messages.map(({ role, content }) => `${role}: ${content}`));
      return messages[0]?.role === "system" ? Response.json({ error: { message } }, { status }) : new Response(DONE);
    };
    const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
    const ask = () => Array.fromAsync(model.stream(question("hello"), new AbortController().signal));
    for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
    const one = ["user: Be brief.\n\nhello"];
    expect(asked).toEqual([["system: Be brief.", "user: hello"], one, one]);
  },
);

describe("a server before Bedrock", () => {
  const choice =
    "Bedrock doesn't support tool_choice=none. Supported tool_choice values=['auto', 'required', json object].";
  const config = '{"message":"The toolConfig field must be defined when using toolUse and toolResult content blocks."}';
  const tools = [{ name: "look", description: "Looks.", parameters: { type: "object", properties: {} } }];
  const messages: Message[] = [
    { role: "user", text: "go" },
    { role: "assistant", text: "", calls: [{ id: "c1", name: "look", arguments: "{}" }] },
    { role: "tool", callId: "c1", text: "{}" },
    { role: "user", text: "and?" },
  ];

  interface Asked {
    messages: { role: string; tool_calls?: unknown }[];
    tools?: unknown;
    tool_choice?: unknown;
  }
  function bedrock() {
    const asked: Asked[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      const body = (await new Response(init?.body).json()) as Asked;
      asked.push(body);
      const hasCalls = body.messages.some(({ role, tool_calls: calls }) => role === "tool" || calls);
      const message = body.tool_choice ? choice : hasCalls && !body.tools ? config : null;
      return message === null
        ? new Response(DONE)
        : Response.json({ error: { message, code: "400" } }, { status: 400 });
    };
    const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
    const ask = async (over: Partial<ModelRequest>) =>
      (await Array.fromAsync(model.stream(question("", { messages, ...over }), new AbortController().signal))).at(-1);
    return { asked, ask };
  }

  it("gets no choice of no tool once it has refused one", async () => {
    const { asked, ask } = bedrock();
    const last = { tools, toolChoice: "none" } as const;
    for (const end of [await ask(last), await ask(last)]) expect(end).toMatchObject({ kind: "end" });
    expect(asked.map((body) => [body.tools !== undefined, body.tool_choice])).toEqual([
      [true, "none"],
      [true, undefined],
      [true, undefined],
    ]);
  });

  it("gets earlier calls and results as words if no tool is offered, once it has refused them", async () => {
    const { asked, ask } = bedrock();
    for (const end of [await ask({}), await ask({}), await ask({ tools })]) expect(end).toMatchObject({ kind: "end" });
    const plain = ["system", "user", "assistant", "user", "user"];
    const whole = ["system", "user", "assistant", "tool", "user"];
    expect(asked.map((body) => body.messages.map(({ role }) => role))).toEqual([whole, plain, plain, whole]);
    expect(asked[1]?.messages.slice(2, 4)).toEqual([
      { role: "assistant", content: "…" },
      { role: "user", content: "{}" },
    ]);
  });
});

const WITHOUT_TEXT: readonly (readonly [string, unknown])[] = [
  [
    "Workers AI",
    {
      errors: [
        {
          message:
            "AiError: Bad input: Error: oneOf at '/' not met, Type mismatch of '/messages/2/content', 'null' not in 'string'",
          code: 5006,
        },
      ],
    },
  ],
  ["Ollama", { error: { message: "invalid message content type: <nil>", type: "invalid_request_error" } }],
  ["LM Studio", { error: "Invalid 'content': 'content' field must be a string or an array of objects." }],
  ["Mistral's own", { detail: [{ loc: ["body", "messages", 2, "content"], msg: "Input should be a valid string" }] }],
];

/** Asks twice, after a call without a text, and expects an answer each time. */
async function askTwiceAfterCall(fetch: (url: unknown, init?: RequestInit) => Promise<Response>): Promise<void> {
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
  const messages: Message[] = [
    { role: "user", text: "go" },
    { role: "assistant", text: "", calls: [{ id: "c1", name: "look", arguments: "{}" }] },
    { role: "tool", callId: "c1", text: "{}" },
  ];
  const ask = () => Array.fromAsync(model.stream(question("", { messages }), new AbortController().signal));
  for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
}

it.each(WITHOUT_TEXT)("calls without a text get an empty one once a server has refused them: %s", async (_, body) => {
  const contents: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const { messages } = (await new Response(init?.body).json()) as { messages: { content: unknown }[] };
    contents.push(messages[2]?.content);
    return messages[2]?.content === null ? Response.json(body, { status: 400 }) : new Response(DONE);
  };
  await askTwiceAfterCall(fetch);
  expect(contents).toEqual([null, "", ""]);
});

describe("reasoning that a server gives but doesn't accept back, or requires", () => {
  const field = ["body", "messages", 2, "assistant", "reasoning_content"];
  const extra = { type: "extra_forbidden", loc: field, msg: "Extra inputs are not permitted", input: "Hm." };
  const refusals: readonly (readonly [string, string, number, unknown])[] = [
    ["reasoning_content", "a gateway to Mistral", 422, { object: "error", message: { detail: [extra] } }],
    [
      "reasoning_content",
      "a gateway to Groq",
      400,
      { error: { message: "'messages.2' : ... [('messages.2' : property 'reasoning_content' is unsupported)]" } },
    ],
    [
      "reasoning",
      "Fireworks",
      400,
      { error: { message: "Extra inputs are not permitted, field: 'messages[2].reasoning', value: 'Hm.'" } },
    ],
  ];

  it.each(refusals)("is %s, which is left out once it is refused: %s", async (name, _, status, body) => {
    const asked: object[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      const { messages } = (await new Response(init?.body).json()) as { messages: object[] };
      asked.push(messages[2] ?? {});
      return messages.some((message) => name in message) ? Response.json(body, { status }) : new Response(DONE);
    };
    const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
    const calls = [{ id: "c1", name: "look", arguments: "{}" }];
    const messages: Message[] = [
      { role: "user", text: "go" },
      { role: "assistant", text: "", calls, native: { from: "m", reasoning: { field: name, text: "Hm." } } },
      { role: "tool", callId: "c1", text: "{}" },
    ];
    const ask = () => Array.fromAsync(model.stream(question("", { messages }), new AbortController().signal));
    for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
    expect(asked.map((message) => Object.keys(message).includes(name))).toEqual([true, false, false]);
    expect(asked[2]).toMatchObject({ tool_calls: [{ id: "c1" }] });
  });

  it.each([
    [
      "DeepSeek under a name of a gateway's own",
      { message: "The `reasoning_content` in the thinking mode must be passed back to the API." },
    ],
    [
      "Xiaomi",
      {
        code: "400",
        message: "Param Incorrect",
        param: "The reasoning_content in the thinking mode must be passed back.",
      },
    ],
    [
      "Kimi",
      { message: "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1" },
    ],
  ])("is put in if it is required, in calls of another model: %s", async (_, error) => {
    const asked: unknown[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      const { messages } = (await new Response(init?.body).json()) as { messages: { reasoning_content?: string }[] };
      const { reasoning_content: said } = messages[2] ?? {};
      asked.push(said);
      return said ? new Response(DONE) : Response.json({ error }, { status: 400 });
    };
    await askTwiceAfterCall(fetch);
    expect(asked).toEqual([undefined, " ", " "]);
  });
});

it("a field is left out once: a request that is still refused is a refusal, and so is one with another status", async () => {
  const stubborn = strict(() => [400, { error: { message: "stream_options and max_completion_tokens are unknown" } }]);
  expect((await stubborn.ask()).at(-1)).toMatchObject({ kind: "failed" });
  expect(stubborn.asked).toEqual([
    ["max_completion_tokens", "stream_options"],
    ["max_completion_tokens"],
    ["max_tokens"],
  ]);
  const other = strict(() => [403, { error: { message: "stream_options" } }]);
  expect((await other.ask()).at(-1)).toMatchObject({ kind: "failed" });
  expect(other.asked).toHaveLength(1);
});

describe("pictures that a model's server refuses", () => {
  const NO_LIST = "Type mismatch of '/messages/1/content', 'array' not in 'string'";
  const refusals: readonly (readonly [string, number, unknown])[] = [
    ["DeepSeek", 400, { error: { message: "messages[1]: unknown variant `image_url`, expected `text` at line 1" } }],
    ["OpenAI", 400, { error: { message: "Invalid content type. image_url is only supported by certain models." } }],
    ["OpenRouter", 404, { error: { message: "No endpoints found that support image input", code: 404 } }],
    ["Ollama, in its cloud", 400, { error: { message: "this model does not support image input (ref: 1)" } }],
    ["Ollama", 500, { error: { message: "this model is missing data required for image input" } }],
    ["llama.cpp", 500, { error: { code: 500, message: "image input is not supported - hint: mmproj" } }],
    ["LM Studio", 400, { error: "Model does not support images. Please use a model that does." }],
    ["vLLM", 400, { object: "error", message: "llama is not a multimodal model", code: 400 }],
    ["vLLM, its limit", 400, { object: "error", message: "At most 0 image(s) may be provided in one request." }],
    ["Groq", 400, { error: { message: "message[1].content must be a string" } }],
    ["Mistral", 400, { object: "error", message: "Image input is not enabled for this model" }],
    ["xAI", 400, { error: "Image inputs are not supported by this model." }],
    [
      "Workers AI",
      400,
      { errors: [{ code: 5006, message: `AiError: Bad input: Error: oneOf at '/' not met, ${NO_LIST}` }] },
    ],
  ];
  const messages: Message[] = [{ role: "user", text: "look", images: ["https://cdn.discordapp.com/a/1/2/a.png"] }];
  const told = "look\n\n[you can't see 1 of the pictures]";

  function blind(status: number, body: unknown, isLastModel: boolean) {
    const asked: unknown[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      const sent = (await new Response(init?.body).json()) as { messages: { content: unknown }[] };
      const content = sent.messages[1]?.content;
      asked.push(content);
      return Array.isArray(content) ? Response.json(body, { status }) : new Response(DONE);
    };
    const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
    const ask = async () =>
      (await Array.fromAsync(model.stream(question("", { messages, isLastModel }), new AbortController().signal))).at(
        -1,
      );
    return { asked, model, ask };
  }

  it.each(refusals)("are counted in words if no other model follows: %s", async (_, status, body) => {
    const { asked, model, ask } = blind(status, body, true);
    expect(model.images).toBe(true);
    for (const end of [await ask(), await ask()]) expect(end).toMatchObject({ kind: "end" });
    expect(asked).toEqual([expect.any(Array), told, told]);
    expect(model.images).toBe(false);
  });

  it("are left to the next model if there is one", async () => {
    const [[, status, body]] = refusals as [(typeof refusals)[number]];
    const { asked, model, ask } = blind(status, body, false);
    expect(await ask()).toMatchObject({ kind: "failed", failure: { reason: "refused" } });
    expect([asked.length, model.images]).toEqual([1, true]);
  });

  const addresses: readonly (readonly [string, number, unknown])[] = [
    ["Ollama", 400, { error: { message: "invalid image input", type: "invalid_request_error" } }],
    ["LM Studio", 400, { error: "'url' field must be a base64 encoded image." }],
    ["OpenAI", 400, { error: { message: "Timeout while downloading a.png.", code: "invalid_image_url" } }],
    ["DashScope", 400, { error: { message: "<400> InternalError: Failed to download multimodal content" } }],
    ["Groq", 400, { error: { message: "failed to retrieve media: received status code: 403" } }],
    ["Gemini", 400, { error: { message: "Cannot fetch content from the provided URL." } }],
    ["Kimi", 400, { error: { message: "Invalid request: unsupported image url: https://a.test/a.png" } }],
    ["Mistral", 400, { object: "error", message: "File could not be fetched from url 'https://a.test/a.png'" }],
    ["Anthropic", 400, { error: { message: "This URL is disallowed by the website's robots.txt file." } }],
  ];

  it.each(addresses)(
    "are sent as bytes if the server can't fetch them, and from then on: %s",
    async (_, status, body) => {
      const asked: string[] = [];
      const fetch = async (_: unknown, init?: RequestInit) => {
        const text = await new Response(init?.body).text();
        asked.push(/"url":"([^:]+)/.exec(text)?.[1] ?? "none");
        return text.includes('"url":"https') ? Response.json(body, { status }) : new Response(DONE);
      };
      const fetchPicture = async () => new Response(new Uint8Array(3), { headers: { "content-type": "image/png" } });
      const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch, fetchPicture });
      const ask = (over: object) =>
        Array.fromAsync(model.stream(question("", { messages, ...over }), new AbortController().signal));
      for (const events of [await ask({}), await ask({}), await ask({ messages: [] })])
        expect(events.at(-1)).toMatchObject({ kind: "end" });
      expect(asked).toEqual(["https", "data", "data", "none"]);
    },
  );
});

// Errors of providers as they arrive: each body has one reason, and the failure has its own words but no key. The wordings are from
// the providers' documentation and from public bug reports.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ModelFailure } from "../../src/core/state/ending.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { type Served, serve } from "../../src/playground/serve.ts";
import { KEY, modelAt, question } from "./hosted.ts";

interface Answer {
  status: number;
  body: unknown;
  type?: string;
}

let answer: Answer = { status: 500, body: "" };
let served: Served;
beforeAll(async () => {
  served = await serve(() => {
    const { status, body, type = "application/json" } = answer;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Response(text, { status, headers: { "content-type": type } });
  });
});
afterAll(() => served.close());

async function failureOf(next: Answer): Promise<ModelFailure | undefined> {
  answer = next;
  const events = await Array.fromAsync(modelAt(served.url).stream(question(), new AbortController().signal));
  const last = events.at(-1);
  return last?.kind === "failed" ? last.failure : undefined;
}

const openAi = (message: string, code: string | null, type = "invalid_request_error") => ({
  error: { message, type, param: null, code },
});
const cloudflare = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  result: null,
  messages: [],
});

/** Provider, status, body, reason. */
const BODIES: [string, number, unknown, ModelFailure["reason"]][] = [
  ["OpenAI", 429, openAi("You exceeded your current quota.", "insufficient_quota", "insufficient_quota"), "no_credit"],
  ["OpenAI", 429, openAi("Rate limit reached for gpt-5 on tokens per min.", "rate_limit_exceeded"), "rate_limited"],
  ["OpenAI", 429, openAi("Request too large for gpt-5 on tokens per min.", "rate_limit_exceeded"), "context_too_long"],
  ["OpenAI", 404, openAi("The model `gpt-9` does not exist.", "model_not_found"), "no_model"],
  ["OpenAI", 403, openAi("Project does not have access to model `o9`.", "model_not_found"), "no_model"],
  ["OpenAI", 401, openAi("Incorrect API key provided.", "invalid_api_key"), "auth"],
  ["OpenAI", 400, openAi("This model's maximum context length is 8192 tokens.", null), "context_too_long"],
  [
    "OpenAI",
    400,
    openAi("Your request was rejected as a result of our safety system.", "content_policy_violation"),
    "content_blocked",
  ],
  ["OpenAI", 400, openAi("Unsupported value: 'temperature'.", "unsupported_value"), "refused"],
  ["OpenAI", 503, openAi("The engine is currently overloaded.", null, "server_error"), "overloaded"],
  [
    "Azure",
    400,
    openAi("The response was filtered due to Azure OpenAI's content management policy.", "content_filter"),
    "content_blocked",
  ],
  [
    "OpenRouter",
    402,
    { error: { code: 402, message: "This request requires more credits, or fewer max_tokens." } },
    "no_credit",
  ],
  [
    "OpenRouter",
    403,
    { error: { code: 403, message: "Your input was rejected.", metadata: { reasons: ["violence"] } } },
    "content_blocked",
  ],
  ["OpenRouter", 401, { error: { code: 401, message: "No auth credentials found" } }, "auth"],
  ["OpenRouter", 400, { error: { code: 400, message: "foo/bar is not a valid model ID" } }, "no_model"],
  ["OpenRouter", 404, { error: { code: 404, message: "No endpoints found for foo/bar." } }, "no_model"],
  [
    "OpenRouter",
    400,
    {
      error: {
        code: 400,
        message: "Provider returned error",
        metadata: { raw: '{"error":{"message":"prompt is too long"}}' },
      },
    },
    "context_too_long",
  ],
  ["OpenRouter", 503, { error: { code: 503, message: "No available model provider." } }, "overloaded"],
  [
    "Groq",
    413,
    openAi("Request too large for model `x` on tokens per minute (TPM).", "rate_limit_exceeded"),
    "context_too_long",
  ],
  ["Groq", 429, openAi("Rate limit reached for model `x`.", "rate_limit_exceeded", "tokens"), "rate_limited"],
  ["Groq", 404, openAi("The model `x` does not exist or you do not have access to it.", "model_not_found"), "no_model"],
  ["Groq", 400, openAi("The model `x` has been decommissioned.", "model_decommissioned"), "no_model"],
  ["Groq", 401, openAi("Invalid API Key", "invalid_api_key"), "auth"],
  ["Groq", 498, { error: { message: "Flex tier capacity exceeded." } }, "overloaded"],
  ["Groq", 400, openAi("Failed to call a function.", "tool_use_failed"), "bad_call"],
  ["Workers AI", 429, cloudflare(3040, "Capacity temporarily exceeded, please try again."), "overloaded"],
  ["Workers AI", 429, cloudflare(4006, "You have used up your daily free allocation of 10,000 neurons."), "no_credit"],
  ["Workers AI", 429, cloudflare(3036, "You have used up what your account has for today."), "no_credit"],
  ["Workers AI", 403, cloudflare(5035, "This model needs Workers Paid"), "no_credit"],
  ["Workers AI", 400, cloudflare(5007, "No such model @cf/foo/bar or task"), "no_model"],
  ["Workers AI", 400, cloudflare(5021, "The estimated number of input tokens exceeds the limit."), "context_too_long"],
  ["Workers AI", 401, cloudflare(10_000, "Authentication error"), "auth"],
  ["Anthropic", 529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "overloaded"],
  ["Anthropic", 400, { type: "error", error: { type: "x", message: "Your credit balance is too low." } }, "no_credit"],
  ["Gemini", 400, [{ error: { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT" } }], "auth"],
  [
    "Gemini",
    429,
    [{ error: { code: 429, message: "You exceeded your current quota.", status: "RESOURCE_EXHAUSTED" } }],
    "rate_limited",
  ],
  ["xAI", 403, { code: "permission-denied", error: "Your team doesn't have any credits yet." }, "no_credit"],
  ["DeepSeek", 402, openAi("Insufficient Balance", "invalid_request_error"), "no_credit"],
  ["Mistral", 401, { detail: "Unauthorized" }, "auth"],
  ["Mistral", 400, { object: "error", message: "Invalid model: foo", type: "invalid_model", code: "1500" }, "no_model"],
  ["Moonshot", 429, openAi("The engine is currently overloaded.", null, "engine_overloaded_error"), "overloaded"],
  ["Bedrock", 429, { message: "Too many tokens, please wait before trying again." }, "rate_limited"],
  ["Ollama", 404, { error: "model 'llama9' not found, try pulling it first" }, "no_model"],
  [
    "llama.cpp",
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size",
        type: "exceed_context_size_error",
      },
    },
    "context_too_long",
  ],
  ["llama.cpp", 503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }, "overloaded"],
  ["a proxy", 402, "Payment required", "no_credit"],
  ["a proxy", 429, "Too Many Requests", "rate_limited"],
  ["a proxy", 400, '{"error":{"message":"The model `x', "refused"],
  ["a proxy", 500, "", "overloaded"],
  ["a proxy", 404, "null", "no_model"],
];

describe("a refusal", () => {
  it.each(BODIES)("by %s with %i and %j has the reason %s", async (_, status, body, reason) => {
    expect(await failureOf({ status, body })).toMatchObject({ reason, status });
  });

  it("keeps the provider's code and words, including those of the server behind a gateway", async () => {
    const body = { error: { message: "Provider returned error", code: 400, metadata: { raw: "no tools here" } } };
    expect(await failureOf({ status: 400, body })).toEqual({
      reason: "refused",
      status: 400,
      code: "400",
      message: "Provider returned error: no tools here",
    });
    expect(await failureOf({ status: 400, body: cloudflare(5006, "Bad input: missing\n 'messages'") })).toMatchObject({
      code: "5006",
      message: "Bad input: missing 'messages'",
    });
    expect(await failureOf({ status: 400, body: "upstream said no", type: "text/plain" })).toMatchObject({
      message: "upstream said no",
    });
    expect(await failureOf({ status: 400, body: '{"error":{"mess' })).toMatchObject({ message: '{"error":{"mess' });
  });

  it.each([
    [502, "overloaded"],
    [404, "no_model"],
    [200, "no_model"],
  ])("as a web page with the status %i is %s and is identified by its title", async (status, reason) => {
    const body = `<!DOCTYPE html><title>\n Bad gateway | proxy </title>${"<p>x".repeat(50_000)}`;
    const failure = await failureOf({ status, body, type: "text/html; charset=UTF-8" });
    expect(failure?.reason).toBe(reason);
    expect(failure?.message).toMatch(/a web page instead of an answer: Bad gateway \| proxy$/);
  });

  it("as a success that is not a stream is read like any other", async () => {
    const refused = await failureOf({ status: 200, body: openAi("You exceeded your quota.", "insufficient_quota") });
    expect(refused).toEqual({ reason: "no_credit", code: "insufficient_quota", message: "You exceeded your quota." });
    // A whole answer says why it ended, too.
    const whole = await failureOf({ status: 200, body: { choices: [{ message: { content: "hi" } }] } });
    expect(whole?.reason).toBe("bad_stream");
    expect(whole?.message).toBe("the stream ended without a finish reason");
    const other = await failureOf({ status: 200, body: { hello: "world" } });
    expect(other?.reason).toBe("bad_stream");
    expect(other?.message).toContain("an answer that can't be read");
  });

  it("without a wrapper within a stream is a failure and not a broken stream", async () => {
    const error = { object: "error", message: "maximum context length is 8192 tokens", code: 400 };
    const body = `data: ${JSON.stringify(error)}\n\n`;
    expect(await failureOf({ status: 200, body, type: "text/event-stream" })).toMatchObject({
      reason: "context_too_long",
      code: "400",
    });
  });

  it.each([
    `Incorrect API key provided: ${KEY}. You can find your key in the portal.`,
    "Incorrect API key provided: sk-hoste***********cdef.",
    `${"x".repeat(290)}${KEY}`,
    `${"word ".repeat(399)}${KEY} and more words`,
    `${"x".repeat(1990)}${KEY}`,
    "Incorrect API key provided: xai-a********cdef.",
    "Incorrect API key provided: gsk_0123456789abcdef.",
    "API key not valid: AIza0123456789abcdef.",
    "API key not valid: AQ.Ab0123456789abcdef.",
    "Incorrect API key provided: ab***************ef.",
    "The header was Bearer 0123456789abcdef, which is wrong.",
  ])("never shows a key or a part of it: %s", async (message) => {
    const failure = JSON.stringify(await failureOf({ status: 401, body: openAi(message, KEY) }));
    expect(failure).not.toMatch(/sk-h|0123|cdef|gsk_|\*\*|ef\./);
  });
});

it("only the beginning of an endless error body is read", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new TextEncoder().encode("no ".repeat(1000)));
    },
  });
  const endless = createOpenAiModel({
    apiKey: KEY,
    baseUrl: "http://model.test/v1",
    model: "m",
    fetch: async () => new Response(body, { status: 400 }),
  });
  const events = await Array.fromAsync(endless.stream(question(), new AbortController().signal));
  expect(events).toMatchObject([{ kind: "failed", failure: { reason: "refused" } }]);
  expect(pulled).toBeLessThan(10);
});

it("only the beginning of an endless page that comes as a success is read too", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new TextEncoder().encode(`<p>${"no ".repeat(1000)}`));
    },
  });
  const page = createOpenAiModel({
    apiKey: KEY,
    baseUrl: "http://model.test/v1",
    model: "m",
    fetch: async () => new Response(body),
  });
  const events = await Array.fromAsync(page.stream(question(), new AbortController().signal));
  expect(events).toMatchObject([{ kind: "failed", failure: { reason: "no_model" } }]);
  expect(pulled).toBeLessThan(10);
});

it("a provider's redirect is not followed, because it would carry the key to another server", async () => {
  const heard: string[] = [];
  const other = await serve((request) => {
    heard.push(request.headers.get("x-api-key") ?? "none");
    return new Response(null, { status: 404 });
  });
  const first = await serve(() => Response.redirect(`${other.url}/v1/chat/completions?session=9`, 307));
  const model = createOpenAiModel({
    apiKey: "",
    baseUrl: `${first.url}/v1`,
    model: "m",
    secretHeaders: { "x-api-key": KEY },
    fetch: (to, init) => fetch(to, init),
  });
  const events = await Array.fromAsync(model.stream(question(), new AbortController().signal));
  await Promise.all([first.close(), other.close()]);
  const message = `a redirect to ${other.url}/v1/chat/completions`;
  const failure = { reason: "unreachable", status: 307, message };
  expect([heard, events]).toMatchObject([[], [{ kind: "failed", failure }]]);
});

// More errors of providers, by what follows from them. The wordings are those of documentation and of public bug reports.
import { describe, expect, it } from "vitest";
import { FAILURE_POLICY, type ModelFailure } from "../../src/core/state/ending.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { question } from "./hosted.ts";

type Row = [provider: string, status: number, body: unknown];

async function failureOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const fetch = async () => new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://model.test/v1", model: "m", fetch });
  const [event] = await Array.fromAsync(model.stream(question(), new AbortController().signal));
  if (event?.kind !== "failed") throw new Error(`no failure but ${JSON.stringify(event)}`);
  return event.failure;
}

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

/** Gemini's words for every limit; only the id of the quota says which one it was. The wait is seconds for all of them. */
const GEMINI_QUOTA = "You exceeded your current quota, please check your plan and billing details.";
const quota = (per: string) => [
  { violations: [{ quotaId: `GenerateRequestsPer${per}PerProjectPerModel-FreeTier`, quotaValue: "20" }] },
  { retryDelay: "17s" },
];

const ROWS: Partial<Record<ModelFailure["reason"], Row[]>> = {
  no_credit: [
    [
      "OpenAI",
      429,
      error("You exceeded your current quota, please check your plan and billing details.", {
        type: "insufficient_quota",
        code: "insufficient_quota",
      }),
    ],
    ["OpenAI", 400, error("Billing hard limit has been reached", { code: "billing_hard_limit_reached" })],
    ["OpenAI", 429, error("Your account is not active.", { code: "billing_not_active" })],
    // Their type is only sometimes that of a spent quota.
    ...["credit_balance_exhausted", "project_spend_limit_exceeded", "organization_usage_limit_exceeded"].map(
      (code): Row => ["OpenAI", 429, error("You can't use the API now.", { type: "rate_limit_error", code })],
    ),
    ["Groq", 400, error("Access is blocked.", { type: "invalid_request_error", code: "blocked_api_access" })],
    ["Perplexity", 401, error("You exceeded your current quota", { type: "insufficient_quota" })],
    [
      "Moonshot",
      429,
      error("Your account is suspended, please check your plan", { type: "exceeded_current_quota_error" }),
    ],
    ["Moonshot", 403, error("Your account balance is insufficient", { type: "permission_denied" })],
    ["Qwen", 400, error("Access denied, please make sure your account is in good standing.", { code: "Arrearage" })],
    ["z.ai", 429, error("余额不足", { code: "1113" })],
    ["OpenRouter", 403, error("Key limit exceeded (total limit).", { code: 403 })],
    ["OpenRouter, for free", 429, error("Rate limit exceeded: free-models-per-day. Add 10 credits", { code: 429 })],
    ["Fireworks", 412, error("Account suspended, possibly due to reaching the monthly spending limit")],
    ["Together", 402, error("Credit limit exceeded", { type: "credit_limit" })],
    ["Gemini", 429, [error("Your prepayment credits are depleted.", { code: 429, status: "RESOURCE_EXHAUSTED" })]],
    ["Hugging Face", 402, { error: "You have exceeded your monthly included credits" }],
    ["Anthropic", 400, error("Your credit balance is too low to access the API.", { type: "invalid_request_error" })],
    [
      "Anthropic",
      400,
      error("You have reached your specified API usage limits. You will regain access on 2026-12-01."),
    ],
    [
      "xAI",
      429,
      {
        code: "Some resource has been exhausted",
        error: "Your team has used all available credits or reached its monthly spending limit.",
      },
    ],
    ["a gateway", 400, { error: { error: { message: "insufficient_balance" } } }],
    ["Gemini, for a day", 429, [error(GEMINI_QUOTA, { code: 429, details: quota("Day") })]],
    [
      "Gemini, for a model that costs",
      429,
      [error(`${GEMINI_QUOTA}\n* Quota exceeded for metric: free_tier_requests, limit: 0, model: m`, { code: 429 })],
    ],
    ["Gemini", 429, [error("Your project has exceeded its monthly spending cap.", { status: "RESOURCE_EXHAUSTED" })]],
    [
      "Gemini",
      400,
      [error("Gemini API free tier is not available in your country. Please enable billing.", { code: 400 })],
    ],
    ["Qwen", 403, error("The free tier of the model has been exhausted.", { code: "AllocationQuota.FreeTierOnly" })],
    ["Ollama, in its cloud", 429, { error: "you (mira) have reached your weekly usage limit" }],
    ["z.ai", 429, error("Weekly/Monthly Limit Exhausted. Your limit will reset at 2026-12-01", { code: "1310" })],
    ["Mistral", 403, { message: "Inactive subscription or usage limit reached" }],
    ["Cerebras", 429, { message: "Tokens per day limit exceeded - too many tokens processed.", param: "quota" }],
    [
      "LiteLLM",
      400,
      error("Budget has been exceeded! Current cost: 10.1, Max budget: 10.0", { type: "budget_exceeded" }),
    ],
    ["LiteLLM", 429, error("ExceededBudget: Crossed spend within budget")],
    ["z.ai", 429, error("已达到 5 小时的使用上限", { code: "1308" })],
    ["OpenCode", 429, error("Rate limit exceeded. Please try again later.", { type: "FreeUsageLimitError" })],
    ["Cohere", 429, { message: "You are past the per month request limit for this model, please wait." }],
    ["Vercel", 403, error("AI Gateway requires a valid credit card on file to service requests.")],
  ],
  auth: [
    [
      "Gemini",
      400,
      [
        error("API key not valid. Please pass a valid API key.", {
          code: 400,
          status: "INVALID_ARGUMENT",
          details: [{ reason: "API_KEY_INVALID" }],
        }),
      ],
    ],
    ["Gemini", 400, [error("Bad request", { code: 400, details: [{ "@type": "x", reason: "API_KEY_INVALID" }] })]],
    ["xAI", 400, { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***yz." }],
    ["Mistral", 401, { message: "Unauthorized", request_id: "1" }],
    ["AI Gateway", 401, { success: false, result: [], messages: [], error: [{ code: 2009, message: "Unauthorized" }] }],
    ["MiniMax, as a success", 200, { choices: null, base_resp: { status_code: 1004, status_msg: "login fail" } }],
    ["Anthropic", 400, error("This organization has been disabled.", { type: "invalid_request_error" })],
    ["Azure", 401, error("Access denied due to invalid subscription key or wrong API endpoint.", { code: "401" })],
  ],
  no_model: [
    ["Gemini", 404, [error("models/foo is not found for API version v1main", { code: 404, status: "NOT_FOUND" })]],
    ["DeepSeek", 400, error("Model Not Exist", { type: "invalid_request_error" })],
    ["Moonshot", 404, error("Not found the model kimi-x or Permission denied", { type: "resource_not_found_error" })],
    ["z.ai", 400, error("Unknown Model, please check the model code.", { code: "1211" })],
    ["Azure", 404, error("The API deployment for this resource does not exist.", { code: "DeploymentNotFound" })],
    ["GitHub", 400, error("Unknown model: foo", { code: "unknown_model" })],
    [
      "Perplexity",
      400,
      error("Invalid model 'foo'. Permitted models can be found in the documentation.", { type: "invalid_model" }),
    ],
    ["a wrong address", 404, "404 page not found"],
    ["a page", 405, { detail: "Method Not Allowed" }],
    ["LM Studio", 400, { error: "No models loaded. Please load a model in the developer page." }],
    ["Bedrock", 400, error("Invocation of model ID m with on-demand throughput isn’t supported.")],
    ["DeepSeek", 400, error("The supported API model names are deepseek-flash, but you passed deepseek-chat.")],
    ["NVIDIA", 410, { title: "Gone", detail: "The model 'm' has reached its end of life and is no longer available." }],
    ["OpenAI", 400, error("This model is only supported in v1/responses and not in v1/chat/completions.")],
    ["SiliconFlow", 400, { code: 20012, message: "Model does not exist. Please check it carefully.", data: null }],
    ["Workers AI", 403, { errors: [{ code: 5018, message: "The account is not allowed to access this model" }] }],
  ],
  no_tools: [
    ["Ollama", 400, error("registry.ollama.ai/library/gemma3:4b does not support tools", { type: "api_error" })],
    ["OpenRouter", 404, error("No endpoints found that support tool use. Try another model.", { code: 404 })],
    ["Google", 400, error("Function calling is not enabled for models/gemma-3-12b-it", { status: "INVALID_ARGUMENT" })],
    ["Groq", 400, error("`tool calling` is not supported with this model")],
    [
      "vLLM",
      400,
      {
        object: "error",
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        type: "BadRequestError",
        code: 400,
      },
    ],
    ["OpenRouter", 404, error("No endpoints found that support tool use.", { code: 404 })],
    ["llama.cpp", 500, error("tools param requires --jinja flag", { code: 500, type: "server_error" })],
  ],
  bad_call: [
    [
      "Groq",
      400,
      error("Failed to call a function. Please adjust your prompt.", {
        code: "tool_use_failed",
        failed_generation: "<function>",
      }),
    ],
    ["Groq", 400, error("The model generated output that could not be parsed.", { code: "output_parse_failed" })],
    ["Ollama", 500, error("error parsing tool call: raw='{\"a\"', err=unexpected end of JSON input")],
    ["llama.cpp", 500, error("Failed to parse input at pos 184: <tool_call>", { code: 500, type: "server_error" })],
  ],
  context_too_long: [
    [
      "vLLM's engine",
      400,
      error("The decoder prompt (length 21535) is longer than the maximum model length of 16384.", { code: 400 }),
    ],
    ["OpenAI", 400, error("Your input exceeds the context window of this model.", { code: "context_length_exceeded" })],
    [
      "Gemini",
      400,
      [error("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", { code: 400 })],
    ],
    ["Anthropic", 400, error("prompt is too long: 210000 tokens > 200000 maximum", { type: "invalid_request_error" })],
    ["Anthropic", 400, error("input length and `max_tokens` exceed context limit: 198537 + 21333 > 200000")],
    ["Hugging Face", 422, error("Input validation error: `inputs` must have less than 4096 tokens. Given: 5000")],
    ["Together", 422, error("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193.")],
    ["Fireworks", 400, error("The prompt is too long: 20000, model maximum context length: 8192")],
    ["Qwen", 400, error("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 6000]")],
    ["z.ai", 400, error("Prompt 超长", { code: "1261" })],
    ["z.ai", 400, error("tokens in request more than max tokens allowed", { code: "1210" })],
    ["z.ai behind a gateway", 400, error("Prompt exceeds max length", { code: 400 })],
    ["SGLang", 400, error("Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).")],
    ["Bedrock", 400, error("ValidationException: Input exceeds the max input token limit")],
    [
      "Bedrock's own OpenAI endpoint",
      400,
      error("prompt tokens (330095) exceed model maximum (278528) for base model m", { code: "invalid_prompt" }),
    ],
    [
      "Poolside, by OpenRouter",
      400,
      error("Input length 131393 exceeds the maximum allowed input length of 131040 tokens.", { code: 400 }),
    ],
    [
      "Moonshot",
      400,
      error("Invalid request: Your request exceeded model token limit: 8192", { type: "invalid_request_error" }),
    ],
    [
      "xAI",
      400,
      {
        code: "invalid",
        error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
      },
    ],
    ["OpenAI", 400, error("Input tokens exceed the configured limit of 272000 tokens.")],
    ["GitHub Copilot", 400, error("prompt token count of 129904 exceeds the limit of 128000")],
    [
      "Volcengine",
      400,
      error("Total tokens of image and text exceed max message tokens.", { code: "InvalidParameter" }),
    ],
    [
      "SiliconFlow",
      400,
      { code: 20015, message: "length of prompt_tokens (140000) must be less than max_seq_len (131072).", data: null },
    ],
    [
      "GitHub",
      413,
      error("Request body too large for gpt-4o model. Max size: 8000 tokens.", { code: "tokens_limit_reached" }),
    ],
    [
      "Groq",
      400,
      error("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" }),
    ],
    [
      "Mistral",
      400,
      {
        object: "error",
        message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        code: "3051",
      },
    ],
    ["a wrong field", 422, { object: "error", message: { detail: [{ msg: "string too long" }] } }],
  ],
  content_blocked: [
    [
      "Moonshot",
      400,
      error("The request was rejected because it was considered high risk", { type: "content_filter" }),
    ],
    ["Qwen", 400, error("Input data may contain inappropriate content.", { code: "data_inspection_failed" })],
    ["z.ai", 400, { contentFilter: [], error: { code: "1301", message: "系统检测到" } }],
    ["DeepSeek", 400, error("Content Exists Risk", { type: "invalid_request_error" })],
    ["AI Gateway", 400, { error: [{ code: 2016, message: "Prompt blocked due to security configurations" }] }],
    [
      "Azure",
      400,
      error("The response was filtered.", { code: null, innererror: { code: "ResponsibleAIPolicyViolation" } }),
    ],
    [
      "xAI",
      403,
      {
        code: "The caller does not have permission to execute the specified operation",
        error:
          "Content violates usage guidelines. Team: t, API key ID: k, Model: m, Failed check: SAFETY_CHECK_TYPE_BIO",
      },
    ],
  ],
  rate_limited: [
    ["z.ai", 429, error("High concurrency usage of this API", { code: "1302" })],
    ["Gemini, for a minute", 429, [error(GEMINI_QUOTA, { code: 429, details: quota("Minute") })]],
    [
      "Groq, for a day of its own beginning",
      429,
      error("Rate limit reached for model `m` on requests per day (RPD). Please try again in 1m26s."),
    ],
    ["Qwen", 429, error("Requests rate limit exceeded", { code: "Throttling.RateQuota" })],
    ["OpenRouter", 429, error("Provider returned error", { code: 429, metadata: { raw: "slow down" } })],
    ["Cloudflare, before a provider", 429, "error code: 1015"],
  ],
  overloaded: [
    ["Mistral", 429, { object: "error", message: "Service tier capacity exceeded for this model.", code: "3505" }],
    ["z.ai", 429, error("The service may be temporarily overloaded", { code: "1305" })],
    ["Azure", 429, error("The system is currently experiencing high demand and cannot process your request.")],
    ["Cerebras", 429, { message: "We're experiencing high traffic right now!", code: "queue_exceeded" }],
    ["LM Studio", 400, { error: "Model unloaded." }],
    ["NVIDIA", 400, { title: "Bad Request", detail: "Function id 'x': DEGRADED function cannot be invoked" }],
    ["Groq", 499, error("The request was cancelled")],
    ["Hugging Face", 503, { error: "Model x is currently loading", estimated_time: 20 }],
    ["Cloudflare", 524, "<html><title>524: A timeout occurred</title></html>"],
  ],
  unreachable: [
    ["Cloudflare, of a name that leads nowhere", 530, "error code: 1016"],
    ["Cloudflare, of a tunnel that is down", 530, "<!DOCTYPE html><title>Cloudflare Tunnel error</title>"],
    ...[521, 522, 523, 525, 526].map((code): Row => ["Cloudflare, of a server", code, `error code: ${code}`]),
    ["an address that moved", 301, "<html><title>301 Moved Permanently</title>"],
    ["a page to sign in at", 302, ""],
  ],
  refused: [
    [
      "llama.cpp",
      500,
      error("image input is not supported - hint: if this is unexpected, you may need to provide the mmproj", {
        code: 500,
        type: "server_error",
      }),
    ],
    ["Ollama", 500, error("Failed to process inputs: this model is missing data required for image input")],
    [
      "llama.cpp",
      500,
      error("Jinja Exception: Cannot pass both content and thinking in an assistant message", { code: 500 }),
    ],
    ["LM Studio", 200, 'event: error\ndata: {"error":{"message":"Error rendering prompt with jinja template"}}\n\n'],
    [
      "OpenAI",
      400,
      error("Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions."),
    ],
    [
      "OpenAI",
      400,
      error("Unsupported parameter: 'max_tokens' is not supported with this model.", { code: "unsupported_parameter" }),
    ],
    [
      "OpenAI",
      403,
      error("Country, region, or territory not supported", { code: "unsupported_country_region_territory" }),
    ],
    ["DeepSeek", 400, error("The `reasoning_content` in the thinking mode must be passed back to the API.")],
    [
      "Mistral",
      422,
      {
        object: "error",
        message: {
          detail: [{ type: "extra_forbidden", loc: ["body", "store"], msg: "Extra inputs are not permitted" }],
        },
      },
    ],
    ["OpenRouter", 404, error("No endpoints found matching your data policy", { code: 404 })],
    ["a firewall", 403, "<!DOCTYPE html><title>Attention Required!</title>"],
    ["Groq, to a server that it blocks", 403, error("Access denied. Please check your network settings.")],
    ["Cloudflare, before a provider", 403, "error code: 1020"],
  ],
};

describe.each(Object.entries(ROWS))("what is %s", (reason, rows) => {
  it.each(rows)("by %s with %i: %j", async (_, status, body) => {
    expect((await failureOf(status, body)).reason).toBe(reason);
  });
});

it("no credit and a wrong key are never tried again, and a call that could not be read is", () => {
  const reasons = ["no_credit", "auth", "no_model", "no_tools", "bad_call"] as const;
  expect(reasons.map((reason) => FAILURE_POLICY[reason].retry)).toEqual(["no", "no", "no", "no", "after_wait"]);
});

describe("the wait that a provider asks for", () => {
  const slow = error("slow down");
  it.each([
    [{ "retry-after-ms": "1500", "retry-after": "2" }, 1500],
    [{ "retry-after-ms": "soon", "retry-after": "2" }, 2000],
    [{ "retry-after-ms": "0.5" }, 1],
    [{ "retry-after-ms": "-1" }, undefined],
    [{ "retry-after": "1e300" }, 2_678_400_000],
  ])("is read from %j", async (headers, wait) => {
    expect((await failureOf(429, slow, headers as Record<string, string>)).retryAfterMs).toBe(wait);
  });

  it("is read from Gemini's details, and a header comes first", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }];
    const body = [error("You exceeded your current quota", { code: 429, details })];
    expect((await failureOf(429, body)).retryAfterMs).toBe(34_500);
    expect((await failureOf(429, body, { "retry-after": "3" })).retryAfterMs).toBe(3000);
  });

  it.each([
    ["1900000012500", 12_500],
    ["1899999999999", undefined],
    ["soon", undefined],
  ])("is until the time that OpenRouter gives, by its own clock: %s", async (reset, wait) => {
    const metadata = { headers: { "X-RateLimit-Limit": "20", "X-RateLimit-Reset": reset } };
    const body = error("Rate limit exceeded: free-models-per-min. ", { code: 429, metadata });
    const date = new Date(1_900_000_000_000).toUTCString();
    expect((await failureOf(429, body, { date })).retryAfterMs).toBe(wait);
    expect((await failureOf(429, body)).retryAfterMs).toBeUndefined();
  });
});

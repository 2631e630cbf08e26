// More errors of providers, grouped by what follows from them.
import { describe, expect, it } from "vitest";
import { FAILURE_POLICY } from "../../src/core/state/ending.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { error, errorBodies } from "./fixtures/error-bodies.ts";
import { question } from "./hosted.ts";

async function failureOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const fetch = async () => new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://model.test/v1", model: "m", fetch });
  const [event] = await Array.fromAsync(model.stream(question(), new AbortController().signal));
  if (event?.kind !== "failed") throw new Error(`no failure but ${JSON.stringify(event)}`);
  return event.failure;
}

describe.each(Object.entries(errorBodies))("an error that means %s", (reason, rows) => {
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

  it("is read from Gemini's details, but a header takes precedence", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }];
    const body = [error("You exceeded your current quota", { code: 429, details })];
    expect((await failureOf(429, body)).retryAfterMs).toBe(34_500);
    expect((await failureOf(429, body, { "retry-after": "3" })).retryAfterMs).toBe(3000);
  });

  it.each([
    ["1900000012500", 12_500],
    ["1899999999999", undefined],
    ["soon", undefined],
  ])("lasts until the time that OpenRouter gives, by its own clock: %s", async (reset, wait) => {
    const metadata = { headers: { "X-RateLimit-Limit": "20", "X-RateLimit-Reset": reset } };
    const body = error("Rate limit exceeded: free-models-per-min. ", { code: 429, metadata });
    const date = new Date(1_900_000_000_000).toUTCString();
    expect((await failureOf(429, body, { date })).retryAfterMs).toBe(wait);
    expect((await failureOf(429, body)).retryAfterMs).toBeUndefined();
  });
});

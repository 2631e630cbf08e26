// The list prices: which names have one, and that no similar name does.
import { expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";

const MINI = { input: 0.25, cachedInput: 0.025, output: 2 };
const REQUIRED = { DISCORD_PUBLIC_KEY: "a".repeat(64), DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "k" };
function pricesOf(variables: object) {
  const parsed = parseConfig({ ...REQUIRED, ...variables });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.config.models.map(({ price = null }) => price);
}

it.each(["gpt-5-mini", "gpt-5-mini-2025-08-07", "openai/gpt-5-mini", "GPT-5-mini-latest"])(
  "%s has the price of gpt-5-mini",
  (model) => {
    expect(pricesOf({ OPENAI_MODEL: model })).toEqual([MINI]);
  },
);

it.each([
  "gpt-5-mini-search",
  "gpt-5-min",
  "my-gpt-5-mini",
  "acme/gpt-5-mini",
  "openai/gpt-5-mini:free",
  "constructor",
])("%s has no known price", (model) => {
  expect(pricesOf({ OPENAI_MODEL: model })).toEqual([null]);
});

it.each([
  ["x-ai/grok-4.3", "grok-4.3"],
  ["x-ai/grok-4.7", "grok-4.7"],
  ["openai/gpt-6.2-sol", "gpt-6.2-sol"],
  ["anthropic/claude-haiku-4.5", "claude-haiku-4-5"],
  ["anthropic/claude-opus-5.5", "claude-opus-5-5"],
  ["anthropic/claude-fable-5.1", "claude-fable-5-1"],
])("%s, as OpenRouter calls it, has the price of %s", (model, own) => {
  const [price] = pricesOf({ OPENAI_MODEL: own });
  expect(price).not.toBeNull();
  expect(pricesOf({ OPENAI_MODEL: model })).toEqual([price]);
});

it("the newest models are known, and Claude Sonnet 5 costs what it did at its launch, because the increase was called off", () => {
  const models = [
    "gpt-6.1-terra",
    "openai/gpt-6.1-sol",
    "claude-sonnet-5-5",
    "gemini-3.8-flash",
    "grok-4.5",
    "claude-sonnet-5",
  ];
  expect(models.map((model) => pricesOf({ OPENAI_MODEL: model })[0]?.output)).toEqual([5, 10, 10, 7.5, 6, 10]);
});

it("a release with only its date is known, and so is a model of Workers AI", () => {
  const models = ["claude-haiku-4-5-20251001", "@cf/zai-org/glm-4.7-flash", "workers-ai/@cf/zai-org/glm-4.7-flash"];
  expect(models.map((model) => pricesOf({ OPENAI_MODEL: model })[0]?.output)).toEqual([5, 0.4, 0.4]);
});

it("an entry of MODELS has its own price, else that of its own name, and never the single model's", () => {
  const list = [
    { id: "a", model: "gpt-5-mini", price: { input: 1, cacheWrite: 1.25, output: 2 } },
    { id: "b", model: "gpt-5-mini" },
    { id: "c", model: "local" },
    { id: "d", model: "local", price: { input: 0, output: 0 } },
  ];
  expect(pricesOf({ OPENAI_MODEL: "gpt-5", MODELS: JSON.stringify(list) })).toEqual([
    { input: 1, cacheWrite: 1.25, output: 2 },
    MINI,
    null,
    { input: 0, output: 0 },
  ]);
});

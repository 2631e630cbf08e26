// The configuration without a key: Workers AI if its binding exists, and otherwise the problem that names the variable.
import { expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";

const REQUIRED = { DISCORD_PUBLIC_KEY: "ab".repeat(32), DISCORD_APPLICATION_ID: "42" };
const AI = { run: () => {} };
const parse = (env: object) => parseConfig({ ...REQUIRED, ...env });
const modelsOf = (env: object) => {
  const parsed = parse(env);
  return parsed.ok ? parsed.config.models : parsed.problems;
};
const GLM = {
  provider: "workers-ai",
  model: "@cf/zai-org/glm-4.7-flash",
  price: { input: 0.06, output: 0.4 },
  contextTokens: 131_072,
  images: false,
};

it("has Workers AI's default without a key, and names the key if the binding is missing too", () => {
  expect(modelsOf({ AI })).toMatchObject([{ id: "default", ...GLM }]);
  expect(modelsOf({})).toEqual(["OPENAI_API_KEY is missing"]);
});

it("prefers a key to the binding", () => {
  expect(modelsOf({ AI, OPENAI_API_KEY: "k" })).toMatchObject([{ model: "gpt-5-mini", apiKey: "k" }]);
});

it("uses OPENAI_MODEL only if it is one of Workers AI", () => {
  expect(modelsOf({ AI, OPENAI_MODEL: "gpt-5-mini" })).toMatchObject([GLM]);
  const gemma = "@cf/google/gemma-4-26b-a4b-it";
  expect(modelsOf({ AI, OPENAI_MODEL: gemma })).toEqual([
    expect.objectContaining({ model: gemma, price: { input: 0.1, output: 0.3 } }),
  ]);
});

it("has entries of MODELS at Workers AI, named or inherited, next to those with their own key", () => {
  const entries = [
    { id: "free", model: "@cf/ibm-granite/granite-4.0-h-micro" },
    { id: "named", model: "@cf/zai-org/glm-4.7-flash", provider: "workers-ai" },
    { id: "paid", model: "gpt-5-mini", baseUrl: "https://api.openai.com/v1", apiKeyVar: "PAID_KEY" },
  ];
  const models = modelsOf({ AI, PAID_KEY: "p", MODELS: JSON.stringify(entries) });
  expect(models).toMatchObject([
    { id: "free", provider: "workers-ai" },
    { id: "named", ...GLM },
    { id: "paid", apiKey: "p" },
  ]);
  expect(models.at(-1)).not.toHaveProperty("provider");
  // What is known about Workers AI's own model says nothing about another provider's.
  expect(models.at(-1)).not.toHaveProperty("images");
  expect(models.at(-1)).not.toHaveProperty("contextTokens");
  // An entry with a key and without an address is at the default address.
  const keyed = JSON.stringify([{ id: "keyed", model: "gpt-5-mini", apiKeyVar: "PAID_KEY" }]);
  const at = (baseUrl: string) => [expect.objectContaining({ baseUrl, apiKey: "p" })];
  expect(modelsOf({ AI, PAID_KEY: "p", MODELS: keyed })).toEqual(at("https://api.openai.com/v1"));
  const OPENAI_BASE_URL = "https://api.example/v1";
  expect(modelsOf({ AI, PAID_KEY: "p", MODELS: keyed, OPENAI_BASE_URL })).toEqual(at(OPENAI_BASE_URL));
  expect(modelsOf({ OPENAI_API_KEY: "k", MODELS: JSON.stringify(entries.slice(1, 2)) })).toEqual([
    "MODELS.0 uses Workers AI, but there is no binding AI",
  ]);
});

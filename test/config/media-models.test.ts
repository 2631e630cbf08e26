// The models that listen and draw: entries of MODELS, models of the first one's provider, or Workers AI's.
import { expect, it } from "vitest";
import { listSecrets } from "../../src/config/secrets.ts";
import { parseConfig } from "../../src/config.ts";

const REQUIRED = { DISCORD_PUBLIC_KEY: "ab".repeat(32), DISCORD_APPLICATION_ID: "42" };
const AI = { run: () => {} };
const MODELS = JSON.stringify([
  { id: "talks", model: "m" },
  { id: "hears", model: "whisper-1", baseUrl: "https://ears.test/v1/", apiKeyVar: "EARS", unitPrice: 0.006 },
]);
function read(env: object) {
  const parsed = parseConfig({ ...REQUIRED, ...env });
  if (!parsed.ok) return { problems: parsed.problems };
  const { models, transcribeModel, imageModel } = parsed.config;
  return { ids: models.map(({ id }) => id), transcribeModel, imageModel, secrets: listSecrets(parsed.config) };
}

it("an entry of MODELS listens with its own address, key and price, and is not a model to talk to", () => {
  const found = read({ OPENAI_API_KEY: "k", EARS: "ears-key", MODELS, TRANSCRIBE_MODEL: "hears" });
  expect(found).toMatchObject({
    ids: ["talks"],
    transcribeModel: { model: "whisper-1", baseUrl: "https://ears.test/v1", apiKey: "ears-key", unitPrice: 0.006 },
    imageModel: null,
    secrets: ["k", "ears-key"],
  });
});

it("any other name is a model at the first one's provider, without the first one's price and other settings", () => {
  const { imageModel } = read({
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: "https://a.test/v1",
    IMAGE_MODEL: "gpt-image-1",
  });
  expect(imageModel).toEqual({
    id: "gpt-image-1",
    model: "gpt-image-1",
    baseUrl: "https://a.test/v1",
    apiKey: "k",
  });
});

it("it is asked with the first one's headers, too", () => {
  const [talks] = JSON.parse(MODELS) as [object];
  const models = [{ ...talks, headers: { "x-team": "a" }, headersVar: "MORE" }];
  const env = { OPENAI_API_KEY: "k", MODELS: JSON.stringify(models), MORE: '{"x-pass":"b"}', TRANSCRIBE_MODEL: "ears" };
  expect(read(env).transcribeModel).toMatchObject({
    model: "ears",
    headers: { "x-team": "a" },
    secretHeaders: { "x-pass": "b" },
  });
});

it("Workers AI listens by default, draws if that is configured, and has its list prices", () => {
  expect(read({ AI, IMAGE_MODEL: "@cf/black-forest-labs/flux-1-schnell" })).toMatchObject({
    transcribeModel: { model: "@cf/openai/whisper-large-v3-turbo", provider: "workers-ai", unitPrice: 0.0005 },
    imageModel: { provider: "workers-ai", unitPrice: 0.0006 },
  });
  expect(read({ AI, OPENAI_API_KEY: "k" })).toMatchObject({ transcribeModel: null });
});

it("a known price of a model that listens or draws also sets a limit of money by default", () => {
  const limitOf = (env: object) => {
    const parsed = parseConfig({ ...REQUIRED, OPENAI_API_KEY: "k", EARS: "ears-key", MODELS, ...env });
    return parsed.ok ? parsed.config.money.microUsdPerDay : parsed.problems;
  };
  expect([limitOf({ TRANSCRIBE_MODEL: "hears" }), limitOf({})]).toEqual([5_000_000, 0]);
});

it("if none of the models left to talk to is for everyone, that is a problem, whoever may listen", () => {
  const [talks, hears] = JSON.parse(MODELS) as [object, object];
  const env = { OPENAI_API_KEY: "k", EARS: "ears-key", TRANSCRIBE_MODEL: "hears" };
  const withOwn = (...models: object[]) => read({ ...env, MODELS: JSON.stringify(models) });
  expect(withOwn({ ...talks, onlyServers: ["77"] }, hears).problems).toEqual([
    "MODELS has no model without onlyServers, so most places have none",
  ]);
  expect(withOwn(talks, { ...hears, onlyServers: ["77"] })).toMatchObject({ ids: ["talks"] });
});

it("a model that doesn't exist is a problem, and so is having none left to talk to", () => {
  const nowhere = "is neither the id of an entry of MODELS nor a model that can be reached";
  expect(read({ AI, IMAGE_MODEL: "gpt-image-1" }).problems).toEqual([`IMAGE_MODEL ${nowhere}`]);
  expect(read({ OPENAI_API_KEY: "k", TRANSCRIBE_MODEL: "@cf/openai/whisper" }).problems).toEqual([
    `TRANSCRIBE_MODEL ${nowhere}`,
  ]);
  const MODELS = JSON.stringify([{ id: "a", model: "m" }]);
  expect(read({ OPENAI_API_KEY: "k", MODELS, IMAGE_MODEL: "a" }).problems).toEqual([
    "MODELS has no chat model besides TRANSCRIBE_MODEL and IMAGE_MODEL",
  ]);
});

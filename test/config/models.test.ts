// What a model of MODELS may be given besides its name and address: fields of the body, headers, and how it gets pictures.
import { describe, expect, it } from "vitest";
import { listSecrets } from "../../src/config/secrets.ts";
import { parseConfig } from "../../src/config.ts";

const REQUIRED = { DISCORD_PUBLIC_KEY: "ab".repeat(32), DISCORD_APPLICATION_ID: "42", OPENAI_API_KEY: "sk-secret" };

function read(model: object, variables: Record<string, string> = {}) {
  const parsed = parseConfig({
    ...REQUIRED,
    ...variables,
    MODELS: JSON.stringify([{ id: "a", model: "m", ...model }]),
  });
  return parsed.ok
    ? { model: parsed.config.models[0], secrets: listSecrets(parsed.config), problems: [] }
    : { model: null, secrets: [], problems: parsed.problems };
}

describe("a model", () => {
  it("has the params that it was given", () => {
    const params = { temperature: 0.2, reasoning_effort: "low", provider: { order: ["x"] } };
    expect(read({ params }).model?.params).toEqual(params);
    expect(read({ params: [1] }).problems).toEqual([
      "MODELS is not a list of models: params of entry 1 is missing or wrong",
    ]);
  });

  it.each([
    [true, "url"],
    ["url", "url"],
    ["inline", "inline"],
    [false, false],
    [undefined, undefined],
  ])("with images %j gets them as %j", (images, as) => {
    expect(read({ images }).model?.images).toBe(as);
  });

  it("with images in any other form is refused", () => {
    expect(read({ images: "sometimes" }).problems).toEqual([
      "MODELS is not a list of models: images of entry 1 is missing or wrong",
    ]);
  });
});

describe("a model's headers", () => {
  const GATEWAY = '{"cf-aig-authorization":"Bearer gateway-token","cf-aig-metadata":"team-7-of-nine"}';

  it("come from the list, and secret ones from a separate variable, which no tool's result may show", () => {
    const { model, secrets } = read(
      { headers: { "X-Title": "Parley", "X-Api-Token": "plain-token" }, headersVar: "GATEWAY" },
      { GATEWAY },
    );
    expect([model?.headers, model?.secretHeaders, model?.apiKey]).toEqual([
      { "X-Title": "Parley", "X-Api-Token": "plain-token" },
      JSON.parse(GATEWAY),
      "sk-secret",
    ]);
    expect(secrets).toEqual(["sk-secret", "plain-token", "gateway-token", "team-7-of-nine"]);
  });

  it("may include the key, and then no other is sent", () => {
    const { model, secrets } = read({ headersVar: "AZURE" }, { AZURE: '{"api-key":"azure-key-1"}' });
    expect([model?.apiKey, secrets]).toEqual(["", ["azure-key-1"]]);
    expect(read({ apiKeyVar: "NONE", headersVar: "AZURE" }, { AZURE: '{"api-key":"azure-key-1"}' }).problems).toEqual(
      [],
    );
  });

  it.each([
    [{ headersVar: "GATEWAY" }, {}, "GATEWAY is not a JSON object of header values"],
    [{ headersVar: "GATEWAY" }, { GATEWAY: '{"a b":"c"}' }, "GATEWAY is not a JSON object of header values"],
    [
      { headersVar: '{"a":"hunter2"}' },
      {},
      "the variable in MODELS.0.headersVar is not a JSON object of header values",
    ],
    [{ headers: { "a b": "c" } }, {}, "MODELS is not a list of models: headers of entry 1 is missing or wrong"],
    // Like a line of a curl command, pasted whole.
    [
      { headers: { "api-key: hunter2": "" } },
      {},
      "MODELS is not a list of models: headers of entry 1 is missing or wrong",
    ],
    [{ headers: { a: "line\nbreak" } }, {}, "MODELS is not a list of models: headers.a of entry 1 is missing or wrong"],
  ])("%j with %j are refused without showing a value", (model, variables, problem) => {
    expect(read(model, variables as Record<string, string>).problems).toEqual([problem]);
  });
});

describe("a list of models", () => {
  const problems = (variables: Record<string, unknown>) => {
    const parsed = parseConfig({ ...REQUIRED, OPENAI_API_KEY: "", ...variables });
    return parsed.ok ? [] : parsed.problems;
  };

  it("needs no OPENAI_API_KEY if each has its own key", () => {
    const MODELS = JSON.stringify([{ id: "a", model: "m", baseUrl: "https://a.test/v1", apiKeyVar: "A_KEY" }]);
    expect(problems({ MODELS, A_KEY: "k" })).toEqual([]);
    expect(problems({ MODELS })).toEqual(["A_KEY is missing"]);
    expect(problems({ MODELS: '[{"id":"a","model":"m"}]' })).toEqual(["OPENAI_API_KEY is missing"]);
    expect(problems({ MODELS: " " })).toEqual(["OPENAI_API_KEY is missing"]);
  });

  it.each(["sk-hunter2", "gsk_hunter2", "HUNTER 2"])("shows no key that was pasted as apiKeyVar, such as %s", (key) => {
    const MODELS = JSON.stringify([{ id: "a", model: "m", apiKeyVar: key }]);
    expect(problems({ MODELS })).toEqual(["the variable in MODELS.0.apiKeyVar is missing"]);
  });
});

it.each([
  [undefined, true],
  ["https://api.openai.com/v1/", true],
  ["https://eu.api.openai.com/v1", true],
  ["https://openrouter.ai/api/v1", false],
  ["https://api.openai.com.example/v1", false],
  ["https://gateway.ai.cloudflare.com/v1/1/mine/openai", false],
])("the default model has a successor only at OpenAI itself: %s", (OPENAI_BASE_URL, has) => {
  const parsed = parseConfig({ ...REQUIRED, ...(OPENAI_BASE_URL && { OPENAI_BASE_URL }) });
  expect(parsed.ok && parsed.config.models.map(({ model, successor }) => [model, successor !== undefined])).toEqual([
    ["gpt-5-mini", has],
  ]);
});

it("a model that the owner has named is never replaced by another one", () => {
  expect(read({ model: "gpt-5-mini" }).model?.successor).toBeUndefined();
  const parsed = parseConfig({ ...REQUIRED, OPENAI_MODEL: "gpt-5-mini" });
  expect(parsed.ok && parsed.config.models.map(({ model, successor }) => [model, successor])).toEqual([
    ["gpt-5-mini", undefined],
  ]);
});

// Addresses among the variables. No request carries a user name and password from its address: workerd drops them, and Node refuses it.
import { expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";

const GOOD = { DISCORD_PUBLIC_KEY: "a".repeat(64), DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "model-key" };
const problemsOf = (variables: Record<string, string>): readonly string[] => {
  const parsed = parseConfig({ ...GOOD, ...variables });
  return parsed.ok ? [] : parsed.problems;
};

const NAMES = ["DISCORD_API_BASE_URL", "OPENAI_BASE_URL", "SEARCH_API_BASE_URL", "PUBLIC_URL"];
const ALL = [...NAMES, "OTEL_EXPORTER_OTLP_ENDPOINT"];

it.each([
  "https://juno:hunter2@host.example/v1",
  "https://hunter2@host.example",
  "https:\\\\juno:hunter2@host.example",
])("names each address with a user name or password, and shows neither: %s", (address) => {
  const problems = ALL.flatMap((name) => problemsOf({ [name]: address }));
  expect(problems).toEqual(ALL.map((name) => `${name} must be an http or https address without a password`));
  const MODELS = JSON.stringify([{ id: "a", model: "m", baseUrl: address }]);
  expect(problemsOf({ MODELS })).toEqual(["MODELS.0.baseUrl must be an http or https address without a password"]);
});

it.each([
  "https://host.example",
  "http://127.0.0.1:11434/v1",
  "https://host.example/@juno/v1?to=a@b",
  "https:host.example",
])("accepts the address %s", (address) => {
  expect(ALL.flatMap((name) => problemsOf({ [name]: address }))).toEqual([]);
});

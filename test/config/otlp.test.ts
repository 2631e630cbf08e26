// Where traces are sent, by OpenTelemetry's own variables.
import { expect, it } from "vitest";
import { readTraceTarget } from "../../src/config/otlp.ts";
import { listSecrets } from "../../src/config/secrets.ts";
import { parseConfig } from "../../src/config.ts";

function read(endpoint: string | null, headers: string | null) {
  const problems: string[] = [];
  return { target: readTraceTarget(endpoint, headers, problems), problems };
}

it("traces go to the endpoint's own path, with percent-encoded headers", () => {
  expect(read(null, "a=b")).toEqual({ target: null, problems: [] });
  expect(read("https://otel.example/base/", " x-api-key = abc%20def , authorization=Basic%20eA== ")).toEqual({
    target: {
      url: "https://otel.example/base/v1/traces",
      headers: { "x-api-key": "abc def", authorization: "Basic eA==" },
    },
    problems: [],
  });
  expect(read("https://otel.example", "a=100%")).toMatchObject({ target: { headers: { a: "100%" } } });
});

it.each(["https://otel.example/v1/traces", "https://otel.example/v1/traces/", "https://otel.example"])(
  "the full address for traces is used unchanged: %s",
  (endpoint) => {
    expect(read(endpoint, null).target?.url).toBe("https://otel.example/v1/traces");
  },
);

it.each([
  ["https://otel.example?x=y", "https://otel.example/v1/traces?x=y"],
  ["https://otel.example/base/?x=/y/", "https://otel.example/base/v1/traces?x=/y/"],
  ["https://otel.example/v1/traces/?x=y&z=v1/traces", "https://otel.example/v1/traces?x=y&z=v1/traces"],
])("the path goes before a query: %s", (endpoint, url) => {
  expect(read(endpoint, null).target?.url).toBe(url);
});

it("a wrong address or list is a problem that shows no value", () => {
  expect(read("otel.example:4318", null).problems).toEqual([
    "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address without a password",
  ]);
  expect(read("https://otel.example", "x-api-key: secret").problems).toEqual([
    "OTEL_EXPORTER_OTLP_HEADERS is not a list of name=value",
  ]);
});

it("its headers are secrets", () => {
  const parsed = parseConfig({
    DISCORD_PUBLIC_KEY: "a".repeat(64),
    DISCORD_APPLICATION_ID: "1",
    OPENAI_API_KEY: "model-key",
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://otel.example",
    OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=very-secret",
  });
  expect(parsed.ok && listSecrets(parsed.config)).toEqual(["model-key", "very-secret"]);
});

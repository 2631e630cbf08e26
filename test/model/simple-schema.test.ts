// Schemas of remote tools for a server that knows only a part of JSON Schema (Gemini), after it has refused them.
import { describe, expect, it } from "vitest";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { simpleParameters, simpleSchema } from "../../src/model/simple-schema.ts";
import { piece, sse } from "./fixtures/stream.ts";
import { question } from "./hosted.ts";

const DONE = sse(piece({ content: "ok" }, "stop"));

it.each([
  [
    { type: "integer", exclusiveMinimum: 0, minimum: 1 },
    { type: "integer", minimum: 1 },
  ],
  [
    { type: ["string", "null"], description: "A name.", default: "x" },
    { type: "string", description: "A name." },
  ],
  [{ const: "all" }, { type: "string", enum: ["all"] }],
  [{ type: "boolean", enum: [true] }, { type: "boolean" }],
  [
    { type: "string", enum: ["a", "b"] },
    { type: "string", enum: ["a", "b"] },
  ],
  [
    { type: "string", enum: ["a", "", null] },
    { type: "string", enum: ["a"] },
  ],
  [{ type: "string", enum: [""] }, { type: "string" }],
  [
    { type: "array", items: { type: "number", multipleOf: 2 } },
    { type: "array", items: { type: "number" } },
  ],
  [{ oneOf: [{ type: "string" }, { type: "null" }] }, { anyOf: [{ type: "string" }] }],
  [{ type: "array" }, { type: "array", items: { type: "string" } }],
  [
    { type: "array", prefixItems: [{ type: "number" }] },
    { type: "array", items: { type: "string" } },
  ],
  [
    { properties: { a: { type: "string" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { type: "object", properties: { a: { type: "string" } }, required: [] },
  ],
  [{ $ref: "#/$defs/Place" }, { type: "object" }],
  [true, { type: "string" }],
  [
    { $schema: "x", type: "object", properties: { a: {} }, required: ["a", "b"], additionalProperties: false },
    { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  ],
])("%j becomes %j", (schema, told) => {
  expect(simpleSchema(schema)).toEqual(told);
});

describe("a schema with references becomes one without any", () => {
  const color = { type: "string", enum: ["red", "blue"], title: "Color" };
  const place = { type: "object", properties: { name: { type: "string" }, color: { $ref: "#/$defs/Color" } } };
  const $defs = { Color: color, Place: place, Alias: { $ref: "#/$defs/Color" } };
  const simpleOf = (one: object, defs: object = $defs) =>
    simpleParameters({ type: "object", properties: { one }, $defs: defs })?.properties;

  it.each<[string, object, object]>([
    ["a choice of words", { $ref: "#/$defs/Color", description: "Which." }, { ...color, description: "Which." }],
    ["another reference", { $ref: "#/$defs/Alias" }, color],
    [
      "the only part of a whole, as Pydantic writes it",
      { allOf: [{ $ref: "#/$defs/Color" }], title: "C" },
      { ...color, title: "C" },
    ],
    [
      "an object",
      { $ref: "#/$defs/Place" },
      { ...place, properties: { name: { type: "string" }, color }, required: [] },
    ],
    ["an item", { type: "array", items: { $ref: "#/$defs/Color" } }, { type: "array", items: color }],
    ["one of several", { anyOf: [{ $ref: "#/$defs/Color" }, { type: "null" }] }, { anyOf: [color] }],
    ["nothing", { $ref: "#/$defs/Nowhere" }, { type: "object" }],
    ["several parts of a whole", { allOf: [{ $ref: "#/$defs/Place" }, { type: "object" }] }, { type: "object" }],
  ])("if one points at %s", (_, one, told) => {
    expect(simpleOf(one)).toEqual({ one: told });
  });

  it("and stays short: it becomes a plain object if everything it refers to would be too long", () => {
    const level = (next: string) => ({
      type: "object",
      properties: Object.fromEntries(["a", "b", "c"].map((name) => [name, { $ref: `#/$defs/${next}` }])),
    });
    const deep = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`L${at}`, level(`L${at + 1}`)]));
    expect(simpleOf({ $ref: "#/$defs/L0" }, { ...deep, L7: color })).toEqual({ one: { type: "object" } });
  });
});

it.each([
  ["to itself", { properties: { a: { $ref: "#/$defs/Loop" } } }],
  ["to itself alone", { $ref: "#/$defs/Loop" }],
  ["in many ways to itself", { properties: { a: { $ref: "#/$defs/Loop" }, b: { allOf: [{ $ref: "Loop" }] } } }],
])("has an end if a reference leads back %s", (_, Loop) => {
  const schema = { type: "object", properties: { one: { $ref: "#/$defs/Loop" } }, $defs: { Loop } };
  const properties = { one: { type: "object" } };
  expect(simpleParameters(schema)).toEqual({ type: "object", properties, required: [] });
});

it("is sent after a refusal that names a tool's schema, and from then on", async () => {
  const message =
    "Invalid JSON payload received. Unknown name \"const\" at 'tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field.";
  const asked: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const { tools } = (await new Response(init?.body).json()) as { tools: { function: { parameters: unknown } }[] };
    const told = tools.map((tool) => tool.function.parameters);
    asked.push(...told);
    const body = [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }];
    return JSON.stringify(told).includes("const") ? Response.json(body, { status: 400 }) : new Response(DONE);
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "gemini-x", fetch });
  const parameters = { type: "object", properties: { mode: { const: "all" } } };
  const tools = [{ name: "look", description: "Looks.", parameters }];
  const ask = () => Array.fromAsync(model.stream(question("", { tools }), new AbortController().signal));
  for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
  const simple = { type: "object", properties: { mode: { type: "string", enum: ["all"] } }, required: [] };
  expect(asked).toEqual([parameters, simple, simple]);
});

it.each([
  ["OpenAI", "Invalid schema for function 'look': In context=('properties', 'to'), array schema missing items."],
  [
    "OpenAI",
    "Invalid schema for function 'look': schema must have type 'object' and not have 'anyOf' at the top level.",
  ],
  ["Groq", "invalid JSON schema for tool look, tools[0].function.parameters"],
  ["Anthropic", "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"],
  ["Bedrock", "The JSON schema definition at toolConfig.tools.0.toolSpec.inputSchema is invalid."],
  ["llama.cpp", "Failed to initialize samplers: failed to parse grammar"],
  ["llama.cpp", "JSON schema conversion failed: Unrecognized schema: true"],
  [
    "Moonshot",
    "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'root': when using anyOf, type should be defined in anyOf items instead of the parent schema>",
  ],
  ["Fireworks", "JSON Schema not supported: could not understand the instance `{'description': 'Any value'}`"],
])("is an object with all properties if %s refuses a choice of objects: %s", async (_, message) => {
  const asked: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const { tools } = (await new Response(init?.body).json()) as { tools: { function: { parameters: object } }[] };
    const told = tools.map((tool) => tool.function.parameters);
    asked.push(...told);
    const isRefused = told.some((parameters) => "anyOf" in parameters);
    return isRefused ? Response.json({ error: { message } }, { status: 400 }) : new Response(DONE);
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
  const [one, other] = [{ properties: { to: { type: "array" } }, required: ["to"] }, { properties: { at: {} } }];
  const tools = [{ name: "look", description: "Looks.", parameters: { anyOf: [one, other] } }];
  const ask = () => Array.fromAsync(model.stream(question("", { tools }), new AbortController().signal));
  for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
  const properties = { to: { type: "array", items: { type: "string" } }, at: { type: "string" } };
  const simple = { type: "object", properties, required: [] };
  expect(asked).toEqual([tools[0]?.parameters, simple, simple]);
});

it("is left out of a tool without arguments, which Gemini refuses as an empty object", async () => {
  const message =
    "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type\n";
  const asked: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const { tools } = (await new Response(init?.body).json()) as { tools: { function: { parameters?: unknown } }[] };
    asked.push(...tools.map((tool) => tool.function));
    const isRefused = tools.some(({ function: { parameters } }) => JSON.stringify(parameters)?.includes("{}"));
    const body = [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }];
    return isRefused ? Response.json(body, { status: 400 }) : new Response(DONE);
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "gemini-x", fetch });
  const tools = [{ name: "look", description: "Looks.", parameters: { type: "object", properties: {} } }];
  const ask = () => Array.fromAsync(model.stream(question("", { tools }), new AbortController().signal));
  for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
  const bare = { name: "look", description: "Looks." };
  expect(asked).toEqual([tools[0], bare, bare]);
});

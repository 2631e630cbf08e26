// What models write for a call: which parts are accepted, repaired, unwrapped, or refused because accepting them would be
// guessing.
import { describe, expect, it } from "vitest";
import { boolean, int, looseObject, optional, string } from "zod";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import type { ToolCategory } from "../../../src/toolkit/define/tool.ts";
import { readArguments } from "../../../src/toolkit/intake/arguments.ts";
import { callIdFrom } from "../../../src/toolkit/intake/call-id.ts";
import { nearestTo, resolveToolName } from "../../../src/toolkit/intake/tool-name.ts";
import { storedArguments } from "../../../src/toolkit/read-json.ts";
import { ToolRuntime } from "../../../src/toolkit/run/runtime.ts";
import { bench, COUNTS, probe } from "../arrange.ts";

const NOT_JSON = "the arguments are not valid JSON; call again with a JSON object";
const CUT = "the arguments were cut off, so nothing ran; call again with smaller arguments";
const read = (given: unknown, mayRepair = true, parameters: string[] = []) => {
  const result = readArguments(given, { mayRepair, parameters: new Set(parameters) });
  return result.ok ? result.value : [result.result.status, result.result.error];
};

describe("arguments", () => {
  it.each<[string, unknown, unknown]>([
    ["nothing", undefined, {}],
    ["null", null, {}],
    ["null as text", "null", {}],
    ["blanks", " \n", {}],
    ["an object", { a: 1 }, { a: 1 }],
    ["JSON text", '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ["no text that was encoded twice", '""', {}],
    ["text that was encoded twice", JSON.stringify('{"a":1}'), { a: 1 }],
    ["text that was encoded twice and is broken", JSON.stringify("{'a':1}"), { a: 1 }],
    ["a Discord id without quotes", '{"user":310821941123456789}', { user: "310821941123456789" }],
    ["a negative number beyond 2^53", '{"n":-9007199254740993}', { n: "-9007199254740993" }],
    ["the last exact integer", '{"n":9007199254740991}', { n: 9_007_199_254_740_991 }],
    ["keys that reach a prototype", '{"__proto__":{"x":1},"constructor":2,"a":{"prototype":3,"b":4}}', { a: { b: 4 } }],
    ["a caller's own bigint", { id: 310_821_941_123_456_789n }, { id: "310821941123456789" }],
  ])("given as %s are read", (_, given, value) => {
    expect(read(given)).toEqual(value);
    expect(Object.getPrototypeOf(read(given))).toBe(Object.prototype);
  });

  it.each<[string, string, unknown]>([
    ["single quotes", "{'a': 'x'}", { a: "x" }],
    ["names without quotes", "{a: 1}", { a: 1 }],
    ["a trailing comma", '{"a": [1, 2,],}', { a: [1, 2] }],
    ["a comment", '{"a": 1 /* one */}', { a: 1 }],
    ["Python's literals", '{"a": True, "b": None}', { a: true, b: null }],
    ["a code fence", '```json\n{"a": 1}\n```', { a: 1 }],
    ["a code fence and a trailing comma", '```\n{"a": 1,}\n```', { a: 1 }],
    ["a raw line break in a text", '{"a": "x\ny"}', { a: "x\ny" }],
    ["curly quotes", "{“a”: “x”}", { a: "x" }],
    ["a long text in single quotes", `{'a': '${"x ".repeat(30_000)}'}`, { a: "x ".repeat(30_000) }],
  ])("with %s are repaired if that is harmless, but not for a tool that can't be undone", (_, text, value) => {
    expect(read(text)).toEqual(value);
    expect(read(text, false)).toEqual(["invalid_input", NOT_JSON]);
  });

  it.each([
    ["thousands of missing commas, for each of which a repairer copies all before", `{"a": [${"1 ".repeat(9000)}]}`],
    ["prose", "the weather in Oslo"],
    ["prose before JSON", 'Sure! {"a":1}'],
    ["markup", "<html></html>"],
    ["two objects in a row", '{"a":1}{"a":2}'],
    ["two objects on two lines", '{"a":1}\n{"a":2}'],
    ["an unescaped quote", '{"a": "he said "hi}" and left"}'],
    ["a lost comma between texts", '{"a": "x" "b": 1}'],
    ["a value that JSON does not have", '{"a": NaN}'],
    ["undefined as a value", '{"a": undefined}'],
    ["a number that may be an id", '{"a": 007,}'],
    ["an ellipsis for omitted values", '{"a": [1, 2, ...]}'],
    ["a call around a value", '{"a": ObjectId("1")}'],
    ["a name without its value", '{"sum":}'],
    ["a name without its value, before another", '{"sum": , "to": 1}'],
    ["a lone name at the end", '{"to": 1, "sum"}'],
    ["a lone bare name", "{sum}"],
    ["a lone name at the beginning", '{"sum", "to": 1}'],
    ["a list with a gap", '{"a": [1,,2]}'],
    ["joined texts", '{"a": "x" + "y"}'],
    ["brackets that don't match", '{"a": [1}'],
    ["a list", "[1,]"],
    ["only the word undefined", "undefined"],
  ])("with %s are refused rather than guessed", (_, text) => {
    expect(read(text)).toEqual(["invalid_input", NOT_JSON]);
  });

  it.each([
    "{",
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":[1',
    '{"a":"x',
    '{"a":"x\\',
    "{'a': 'x",
    '```json\n{"a": 1',
    '{"a":{"b":1}',
  ])("that end early (%s) count as cut off and are never repaired", (text) => {
    expect(read(text)).toEqual(["truncated_input", CUT]);
  });

  it("never run if the model's answer was cut off, however complete they look", async () => {
    const { execute } = bench(probe(() => Promise.reject(new Error("it ran"))));
    expect(await execute({ name: "probe", arguments: "{}", truncated: true })).toMatchObject({
      status: "truncated_input",
      error: CUT,
      meta: { attempts: 0 },
    });
  });

  it("are limited in size and depth, even if a caller passes an object", () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const ofBytes = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;
    const tooLarge = ["invalid_input", "the arguments are larger than 65536 bytes; call again with less"];
    const tooDeep = ["invalid_input", "the arguments are deeper than 64 levels; call again with less"];
    expect(read(ofBytes(65_536))).toHaveProperty("a");
    expect(read(ofBytes(65_537))).toEqual(tooLarge);
    expect(read({ a: "ü".repeat(40_000) })).toEqual(tooLarge);
    expect(read(nested(64))).toHaveProperty("a");
    expect(read(nested(65))).toEqual(tooDeep);
    expect(read("[".repeat(60_000))).toEqual(tooDeep);
    expect(read(JSON.stringify(nested(65)))).toEqual(tooDeep);
  });

  it("from a caller are refused if they refer to themselves", () => {
    const self: Record<string, unknown> = {};
    self.self = self;
    expect(read(self)).toEqual(["invalid_input", NOT_JSON]);
  });

  it.each<[string, string, unknown]>([
    ["within one wrapper", '{"arguments":{"city":"Oslo"}}', { city: "Oslo" }],
    ["within a wrapper as text", '{"input":"{\\"city\\":\\"Oslo\\"}"}', { city: "Oslo" }],
    ["within the whole call", '{"tool":"w","parameters":{"city":"Oslo"},"reasoning":"r"}', { city: "Oslo" }],
    ["next to an empty wrapper", '{"tool":"w","parameters":{},"city":"Oslo"}', { city: "Oslo" }],
    [
      "next to a wrapper that has some itself",
      '{"parameters":{"a":1},"city":"Oslo"}',
      { parameters: { a: 1 }, city: "Oslo" },
    ],
    ["within a wrapper that has no object", '{"input":"Oslo"}', { input: "Oslo" }],
    ["within a wrapper whose text is a list", '{"input":"[1]"}', { input: "[1]" }],
  ])("are found %s", (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it("stay as they are if the tool has a parameter named like a wrapper", () => {
    expect(read('{"input":{"city":"Oslo"}}', true, ["input"])).toEqual({ input: { city: "Oslo" } });
  });

  it("keep a field of the envelope that is a parameter of the tool", () => {
    expect(read('{"tool":"w","parameters":{},"name":"Ada"}', true, ["name"])).toEqual({ name: "Ada" });
  });

  it("are stored as a JSON object, whatever they were", () => {
    const twice = JSON.stringify('{"a":1}');
    expect(['{"a":1}', twice, ' { "id":310821941123456789 } ', "", "[1]", "{", "null"].map(storedArguments)).toEqual([
      '{"a":1}',
      '{"a":1}',
      '{"id":"310821941123456789"}',
      "{}",
      "{}",
      "{}",
      "{}",
    ]);
  });
});

describe("a call", () => {
  const echo = (category: ToolCategory = "safe") =>
    probe((input) => ({ ok: true, data: input }), {
      input: looseObject({ city: optional(string()), days: optional(int()), force: optional(boolean()) }),
      ...(category === "safe" ? {} : { category, hints: COUNTS }),
    });

  it.each<[string, Record<string, unknown>]>([
    ["name and arguments", { name: "probe", arguments: '{"city":"Oslo"}' }],
    ["name and input", { name: "probe", input: { city: "Oslo" } }],
    ["tool and parameters", { tool: "probe", parameters: { city: "Oslo" }, reasoning: "asked" }],
    ["parameters at its top level", { tool: "probe", parameters: {}, city: "Oslo" }],
    ["parameters at its top level, next to an empty text", { tool: "probe", arguments: " ", city: "Oslo" }],
    [
      "parameters at its top level, next to an empty object as a text",
      { tool: "probe", arguments: "{} ", city: "Oslo" },
    ],
    ["parameters in their place, next to a stray field", { tool: "probe", arguments: '{"city":"Oslo"}', city: "Rome" }],
    ["parameters as an object in their place", { tool: "probe", arguments: { city: "Oslo" }, city: "Rome" }],
    ["parameters at its top level only", { name: "probe", city: "Oslo" }],
  ])("written with %s is the same call", async (_, call) => {
    expect((await bench(echo()).execute(call)).data).toEqual({ city: "Oslo" });
  });

  it("lists every repair in its warnings and its meta", async () => {
    const result = await bench(echo()).execute({ id: "c1", name: "functions.Probe", arguments: "{'city': 'Oslo'}" });
    const repaired = ['"functions.Probe" was read as probe', "the arguments were not quite JSON"];
    expect(result).toMatchObject({ ok: true, warnings: repaired, meta: { callId: "c1", tool: "probe", repaired } });
    expect((await bench(echo()).execute({ name: "probe", city: "Oslo" })).warnings).toEqual([
      "the parameters were at the top of the call",
    ]);
  });

  it.each(["terminal", "dangerous"] as const)("to a %s tool is accepted as written or not at all", async (category) => {
    const { execute } = bench(echo(category));
    expect(await execute({ name: "probe", arguments: "{'city': 'Oslo'}" })).toMatchObject({
      status: "invalid_input",
      error: NOT_JSON,
      meta: { attempts: 0, repaired: [] },
    });
  });

  it("without an id gets one from its position", () => {
    expect([callIdFrom(null, "probe", 2, 1), callIdFrom(" ", "probe", 0, 0), callIdFrom("c1", "probe", 0, 0)]).toEqual([
      "probe-2-1",
      "probe-0-0",
      "c1",
    ]);
  });
});

describe("a tool's name", () => {
  const names = ["get_weather", "rollDice", "send_message", "sendMessage_", "web-search"];

  it.each([
    ["get_weather", "get_weather"],
    ["functions.get_weather", "get_weather"],
    ["functions.get_weather:0", "get_weather"],
    ["get_weather<|channel|>commentary", "get_weather"],
    ["functions.GetWeather</arg_value>", "get_weather"],
    ["tool:get_weather", "get_weather"],
    ["default_api.get_weather", "get_weather"],
    ["Get_Weather", "get_weather"],
    ["getWeather", "get_weather"],
    ["get-weather", "get_weather"],
    ["GetWeatherTool", "get_weather"],
    ["get_weather_tool", "get_weather"],
    ["roll_dice", "rollDice"],
    ["web_search", "web-search"],
    ["send_message", "send_message"],
  ])("written as %s means %s", (called, name) => {
    expect(resolveToolName(called, names)).toMatchObject({ found: true, name });
  });

  it.each([
    ["get_wether", "get_weather"],
    ["SendMessage", "send_message"],
    // Four of ten characters differ, which is still near, and then five.
    ["web-sxxxxh", "web-search"],
    ["web-xxxxxh", null],
    // Two are near, and the nearer one comes second.
    ["webb_search", "web-search"],
    ["sendMessages_", "sendMessage_"],
    ["constructor", null],
    ["__proto__", null],
    ["hasOwnProperty", null],
    ["", null],
    ["x".repeat(100_000), null],
  ])("written as %.20s is unknown, and its nearest match is %s", (called, nearest) => {
    expect(resolveToolName(called, names)).toEqual({ found: false, nearest });
  });

  it.each([
    [127, true],
    [128, true],
    [129, false],
  ])("of %i characters is compared with others: %s", (chars, isCompared) => {
    const name = "x".repeat(chars);
    const other = `${name.slice(1)}y`;
    expect(nearestTo(name, [other])).toBe(isCompared ? other : null);
    expect(resolveToolName(name.toUpperCase(), [name])).toMatchObject({ found: isCompared });
  });

  it("gets a suggestion in the error if it is close to an offered one, and the list of this turn's tools", async () => {
    const { call } = bench(probe(() => ({ ok: true, data: 1 })));
    expect((await call("{}", {}, "prope")).error).toBe("unknown tool: prope. Did you mean probe? Offered: probe");
  });

  it("gets no suggestion if no tool is similar, or if the similar one is not offered in this turn", async () => {
    const tool = probe(() => ({ ok: true, data: 1 }));
    expect((await bench(tool).call("{}", {}, "weather")).error).toBe("unknown tool: weather. Offered: probe");
    const reader = probe(() => ({ ok: true, data: 1 }), { requires: { services: ["memories"] } });
    expect((await bench(reader).call("{}", {}, "prope")).error).toBe("unknown tool: prope. Offered: none");
  });

  it("leads the loop to the tool that is meant", async () => {
    const tool = probe(() => ({ ok: true, data: 1 }));
    const runtime = new ToolRuntime(createToolRegistry([tool]));
    expect(["Probe", "functions.probe", "toString", "prope"].map((name) => runtime.toolFor(name)?.name)).toEqual([
      "probe",
      "probe",
      undefined,
      undefined,
    ]);
  });
});

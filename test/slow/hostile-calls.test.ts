// The arguments and text tool calls that a model may send, at their largest, through the packages that read and repair them. They are
// not our code, so nothing counts their steps; the test bounds the computing time so that only quadratic work exceeds it.
import { expect, it } from "vitest";
import { readChallenge } from "../../src/mcp/oauth/challenge.ts";
import { compileInput } from "../../src/toolkit/define/input-schema.ts";
import type { JsonSchema } from "../../src/toolkit/define/tool.ts";
import { readArguments } from "../../src/toolkit/intake/arguments.ts";
import { validate } from "../../src/toolkit/intake/validation.ts";
import { MAX_ARGUMENT_BYTES } from "../../src/toolkit/read-json.ts";
import { parseFallbackReply } from "../../src/toolkit/text-calls/fallback-parser.ts";
import { costOf } from "../support/cpu-time.ts";

const MOST_MS = 3000;
const PIECES = [
  '{"a":',
  "{a:",
  '"" ',
  '"a" "b"',
  ", ",
  "[ ",
  "{ ",
  "a ",
  "0",
  "-0",
  ".",
  "{}",
  '"a\\',
  "/*",
  "//\n",
  "'",
  "“",
  "`",
  "\\",
];
const REPLY_CHARS = 256 * 1024;

it.each(PIECES)("arguments of %j are read or refused in seconds", async (piece) => {
  const { ms } = await costOf(() => {
    for (const [before, after] of [
      ["{", "}"],
      ['{"a":', "x}"],
      ["{a ", ""],
    ]) {
      const room = MAX_ARGUMENT_BYTES - 100;
      const text = before + piece.repeat(Math.floor(room / new TextEncoder().encode(piece).length)) + after;
      readArguments(text, { mayRepair: true, parameters: new Set() });
    }
  });
  expect(ms).toBeLessThan(MOST_MS);
});

it.each(["\n{", '\n{"tool":"x"', "<tool_call>", "<tool_call></tool_call>", "```\n", " \n", "`"])(
  "a reply of %j is read in seconds",
  async (piece) => {
    const { ms } = await costOf(() => parseFallbackReply(`x${piece.repeat(Math.floor(REPLY_CHARS / piece.length))}`));
    expect(ms).toBeLessThan(MOST_MS);
  },
);

it.each(["a", 'a="', 'a=\\"', "a ", ", "])(
  "a server's demand for a token, of %j, is read in seconds",
  async (piece) => {
    const { ms } = await costOf(() => readChallenge(`Bearer ${piece.repeat(128_000 / piece.length)}`));
    expect(ms).toBeLessThan(MOST_MS);
  },
);

/** The schema of one parameter, in the schema of a remote tool. */
const takes = (a: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties: { a }, ...more });
const named = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));

it.each<[string, JsonSchema, Record<string, unknown>]>([
  ["a schema that requires 2000 fields", { type: "object", required: Object.keys(named(2000, 0)) }, {}],
  [
    "a list of choices next to many definitions",
    takes({ type: "array", items: { anyOf: [{ type: "object" }, { type: "boolean" }] } }, { $defs: named(800, {}) }),
    { a: Array(10_000).fill("xy") },
  ],
  [
    "an object in which every name is wrong",
    takes({ type: "object", propertyNames: { maxLength: 1 } }),
    { a: named(5000, 1) },
  ],
])("the arguments for %s are refused in seconds", async (_what, schema, given) => {
  const compiled = compileInput({ input: schema }, () => ({}));
  if (!compiled.ok) throw new Error(compiled.error);
  const { input } = compiled;
  const { result, ms } = await costOf(() => validate({ category: "async", rules: [] }, input, given));
  expect([result.valid, result.errors.length > 0]).toEqual([false, true]);
  expect(ms).toBeLessThan(MOST_MS);
});

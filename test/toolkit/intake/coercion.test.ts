// Coercion as a table: which value is accepted in place of which, and which is refused. Both kinds of schema behave the same.
import { describe, expect, it } from "vitest";
import {
  array,
  boolean,
  discriminatedUnion,
  enum as enumOf,
  int,
  literal,
  nullable,
  number,
  object,
  optional,
  string,
  union,
} from "zod";
import type { JsonSchema, Tool } from "../../../src/toolkit/define/tool.ts";
import { bench, probe } from "../arrange.ts";

const REFUSED = Symbol("refused");
const fields: Record<string, [Tool["input"], JsonSchema]> = {
  integer: [object({ v: int() }), { type: "integer" }],
  number: [object({ v: number() }), { type: "number" }],
  boolean: [object({ v: boolean() }), { type: "boolean" }],
  string: [object({ v: string() }), { type: "string" }],
  array: [object({ v: array(int()) }), { type: "array", items: { type: "integer" } }],
  object: [
    object({ v: object({ n: int() }) }),
    { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  ],
  enum: [object({ v: enumOf(["Celsius", "Kelvin"]) }), { enum: ["Celsius", "Kelvin"] }],
  nullable: [object({ v: nullable(int()) }), { type: ["integer", "null"] }],
};

/** One row: what is wanted, what is given, and what it is taken for. */
const table: [wanted: string, given: unknown, taken: unknown][] = [
  ["integer", 5, 5],
  ["integer", "5", 5],
  ["integer", " -12 ", -12],
  ["integer", "+7", 7],
  ["integer", "5.0", 5],
  ["integer", "", REFUSED],
  ["integer", "5.7", REFUSED],
  ["integer", 5.7, REFUSED],
  ["integer", true, REFUSED],
  ["integer", "0x10", REFUSED],
  ["integer", "1,000", REFUSED],
  ["integer", "1e3", REFUSED],
  ["integer", "9007199254740993", REFUSED],
  ["integer", "false", REFUSED],
  ["integer", null, REFUSED],
  ["integer", [], REFUSED],
  ["number", "2.5", 2.5],
  ["number", " 1e3 ", 1000],
  ["number", "-0.5", -0.5],
  ["number", "", REFUSED],
  ["number", "NaN", REFUSED],
  ["number", "Infinity", REFUSED],
  ["number", "1e999", REFUSED],
  ["number", ".5", REFUSED],
  ["number", "0x10", REFUSED],
  ["number", false, REFUSED],
  ["number", "false", REFUSED],
  ["number", null, REFUSED],
  ["number", [], REFUSED],
  ["boolean", "true", true],
  ["boolean", "False", false],
  ["boolean", "1", true],
  ["boolean", 0, false],
  ["boolean", "YES", true],
  ["boolean", " off ", false],
  ["boolean", "", REFUSED],
  ["boolean", "2", REFUSED],
  ["boolean", "maybe", REFUSED],
  ["boolean", null, REFUSED],
  ["boolean", [], REFUSED],
  ["string", 5, "5"],
  ["string", 1.5, "1.5"],
  ["string", Number.MAX_SAFE_INTEGER, "9007199254740991"],
  ["string", -Number.MAX_SAFE_INTEGER, "-9007199254740991"],
  ["string", 1e300, REFUSED],
  ["string", false, "false"],
  ["string", "", ""],
  ["string", null, REFUSED],
  ["string", [], REFUSED],
  ["string", {}, REFUSED],
  ["array", "[1,2]", [1, 2]],
  ["array", '["1", 2]', [1, 2]],
  ["array", ["1", " 2 "], [1, 2]],
  ["array", 1, [1]],
  ["array", "1", REFUSED],
  ["array", "1,2", REFUSED],
  ["array", null, REFUSED],
  ["array", {}, REFUSED],
  ["object", '{"n":1}', { n: 1 }],
  ["object", '{"n":"1"}', { n: 1 }],
  ["object", { n: "1" }, { n: 1 }],
  ["object", "[1]", REFUSED],
  ["object", "n=1", REFUSED],
  ["object", 1, REFUSED],
  ["enum", "Kelvin", "Kelvin"],
  ["enum", " kelvin ", "Kelvin"],
  ["enum", "CELSIUS", "Celsius"],
  ["enum", "kel", REFUSED],
  ["enum", "", REFUSED],
  ["nullable", null, null],
  ["nullable", "3", 3],
];

const echo = (input: Tool["input"]) => bench(probe((given) => ({ ok: true, data: given }), { input }));
const takenFor = async (input: Tool["input"], v: unknown) => {
  const result = await echo(input).call({ v });
  if (!result.ok) expect(result.status).toBe("invalid_input");
  return result.ok ? (result.data as { v: unknown }).v : REFUSED;
};

describe.each(["zod", "JSON Schema"] as const)("with a schema in %s", (kind) => {
  it.each(table)("where %s is wanted, given %j", async (wanted, given, taken) => {
    const [zod, part] = fields[wanted] ?? [object({}), {}];
    const input = kind === "zod" ? zod : { type: "object", properties: { v: part }, required: ["v"] };
    expect(await takenFor(input, given)).toEqual(taken);
  });
});

describe("coercion", () => {
  it("keeps all digits of an id that a number can't represent", async () => {
    expect((await echo(object({ id: string() })).call('{"id":310821941123456789}')).data).toEqual({
      id: "310821941123456789",
    });
    expect((await echo(object({ id: int() })).call('{"id":310821941123456789}')).status).toBe("invalid_input");
  });

  it("reports each value that it converted", async () => {
    const result = await echo(object({ n: int(), on: boolean() })).call({ n: "5", on: "yes" });
    expect(result.warnings).toEqual(['n: took "5" for integer', 'on: took "yes" for boolean']);
  });

  it("takes a number for a text if it may be several types, but keeps a number that is listed", async () => {
    expect(await takenFor({ type: "object", properties: { v: { enum: [1, "2"] } } }, 1)).toBe(1);
    expect(await takenFor({ type: "object", properties: { v: { enum: [1, "2"] } } }, "1")).toBe(1);
  });

  it("never takes a text for a listed object, whatever that object's own text form is", async () => {
    expect(await takenFor({ type: "object", properties: { v: { enum: [{ toString: 1 }, "Kelvin"] } } }, "kelvin")).toBe(
      "Kelvin",
    );
    expect(await takenFor({ type: "object", properties: { v: { enum: [{}, null] } } }, "[object Object]")).toBe(
      REFUSED,
    );
    expect(await takenFor({ type: "object", properties: { v: { enum: [{}, null] } } }, "Null")).toBe(null);
  });

  it("makes no list of a null, even if the items may be null", async () => {
    const nulls: JsonSchema = {
      type: "object",
      properties: { v: { type: "array", items: { type: ["integer", "null"] } } },
    };
    expect(await takenFor({ ...nulls, required: ["v"] }, null)).toBe(REFUSED);
    expect(await takenFor({ ...nulls, required: ["v"] }, 1)).toEqual([1]);
  });

  it("follows eight references to a type, and no more", async () => {
    const chain = (length: number): JsonSchema => ({
      type: "object",
      properties: { v: { $ref: "#/$defs/d1" } },
      $defs: Object.fromEntries(
        Array.from({ length }, (_, index) => [
          `d${index + 1}`,
          index + 1 === length ? { type: "integer" } : { $ref: `#/$defs/d${index + 2}` },
        ]),
      ),
    });
    expect([await takenFor(chain(8), "5"), await takenFor(chain(9), "5")]).toEqual([5, REFUSED]);
  });

  it("drops a null that is given for an optional parameter", async () => {
    expect((await echo(object({ n: optional(int()), s: optional(string()) })).call({ n: null, s: "x" })).data).toEqual({
      s: "x",
    });
  });

  it("keeps a value that fits a branch, and otherwise converts it for the first branch that fits", async () => {
    const either = object({ v: union([int(), string()]) });
    expect(await takenFor(either, "5")).toBe("5");
    expect(await takenFor(object({ v: union([int(), boolean()]) }), "5")).toBe(5);
    const shapes = object({
      v: discriminatedUnion("kind", [
        object({ kind: literal("dot"), x: int() }),
        object({ kind: literal("line"), to: int() }),
      ]),
    });
    expect(await takenFor(shapes, { kind: "line", to: "4" })).toEqual({ kind: "line", to: 4 });
  });

  it("follows references to the definitions of older schemas, even within a choice", async () => {
    const input: JsonSchema = {
      type: "object",
      properties: { v: { anyOf: [{ $ref: "#/definitions/list" }, { type: "null" }] } },
      definitions: { list: { type: "array", items: { $ref: "#/definitions/count" } }, count: { type: "integer" } },
    };
    expect(await takenFor(input, ["1", 2])).toEqual([1, 2]);
  });

  it("follows references into a list of choices", async () => {
    const input: JsonSchema = {
      type: "object",
      properties: { v: { $ref: "#/properties/w/anyOf/1" }, w: { anyOf: [{ type: "null" }, { type: "integer" }] } },
    };
    expect(await takenFor(input, "5")).toBe(5);
  });

  it("doesn't report a value that is one of the allowed ones, and doesn't take a number for one", async () => {
    const input = object({ n: int(), unit: enumOf(["Celsius", "7"]) });
    expect((await echo(input).call({ n: "5", unit: "Celsius" })).warnings).toEqual(['n: took "5" for integer']);
    expect((await echo(input).call({ n: 5, unit: 7 })).status).toBe("invalid_input");
  });

  it("follows references in a JSON Schema, even circular ones", async () => {
    const input: JsonSchema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/node" } },
      $defs: {
        node: { type: "object", properties: { n: { type: "integer" }, next: { $ref: "#/$defs/node" } } },
      },
    };
    const result = await echo(input).call({ tree: { n: "1", next: { n: "2" } } });
    expect(result.data).toEqual({ tree: { n: 1, next: { n: 2 } } });
  });

  it("is dropped if the call stays invalid, and the problems name the values as written", async () => {
    const result = await echo(object({ n: int(), s: string().min(3) })).call({ n: "5", s: "x" });
    expect(result.issues).toEqual(['n: expected number (got "5")', 's: expected at least 3 characters (got "x")']);
  });
});

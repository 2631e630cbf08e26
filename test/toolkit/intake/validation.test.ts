// Validation in stages: missing parameters, wrong types, values out of bounds and conflicts between parameters are all
// reported at once, in that order.
import { describe, expect, it } from "vitest";
import { _default, array, email, enum as enumOf, int, number, object, optional, strictObject, string } from "zod";
import { isQuickPattern } from "../../../src/toolkit/define/pattern-cost.ts";
import { checkRegistration } from "../../../src/toolkit/define/registration.ts";
import {
  atLeastOne,
  exactlyOne,
  mutex,
  type Rule,
  requires,
  requiresWhen,
  rulesText,
} from "../../../src/toolkit/define/rules.ts";
import type { JsonSchema, Tool } from "../../../src/toolkit/define/tool.ts";
import { validate } from "../../../src/toolkit/intake/validation.ts";
import { COUNTS, probe } from "../arrange.ts";

function check(input: Tool["input"], given: Record<string, unknown>, over: Partial<Tool> = {}) {
  const tool = probe(() => ({ ok: true, data: null }), { input, ...over });
  const { input: compiled, problems } = checkRegistration(tool);
  expect(problems).toEqual([]);
  if (!compiled) throw new Error("the schema does not compile");
  return validate(tool, compiled, given);
}

const forecast = object({
  city: string().min(2),
  country: string(),
  days: int().min(1).max(14),
  units: enumOf(["metric", "imperial"]),
  code: string().regex(/^[A-Z]{3}$/),
  contact: optional(email()),
}).refine(({ city }) => city !== "Atlantis", { path: ["city"], message: "no such place" });

const forecastSchema: JsonSchema = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 2 },
    country: { type: "string" },
    days: { type: "integer", minimum: 1, maximum: 14 },
    units: { enum: ["metric", "imperial"] },
    code: { type: "string", pattern: "^[A-Z]{3}$" },
    contact: { type: "string", format: "email" },
  },
  required: ["city", "country", "days", "units", "code"],
};
const fine = { city: "Oslo", country: "NO", days: 3, units: "metric", code: "OSL" };
const paths = (errors: string[]) => errors.map((error) => error.split(":")[0]);

describe.each([
  ["zod", forecast],
  ["JSON Schema", forecastSchema],
] as const)("a schema in %s", (kind, input) => {
  it("accepts valid input unchanged", () => {
    expect(check(input, fine)).toEqual({ valid: true, errors: [], warnings: [], cleanedParams: fine });
  });

  it("reports every problem at once: missing fields first, then types, then bounds", () => {
    const given = { city: "O", days: "many", units: "kelvin", code: "oslo", contact: "nobody" };
    const { valid, errors, cleanedParams } = check(input, given);
    expect([valid, cleanedParams]).toEqual([false, {}]);
    expect(paths(errors)).toEqual(["country", "days", "city", "units", "code", "contact"]);
    expect(errors[0]).toBe("country: is required");
    expect(errors[1]).toContain('(got "many")');
  });

  it.each<[string, object, string]>([
    ["missing", { city: undefined }, "city: is required"],
    ["below its range", { days: 0 }, "days: "],
    ["above its range", { days: 15 }, "days: "],
    ["not one of its values", { units: "si" }, "units: "],
    ["not matching its pattern", { code: "os" }, "code: "],
    ["too short", { city: "O" }, "city: "],
    ["not in its format", { contact: "x" }, "contact: "],
  ])("reports a field that is %s", (_, over, start) => {
    const given = Object.fromEntries(Object.entries({ ...fine, ...over }).filter(([, value]) => value !== undefined));
    const { errors } = check(input, given);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.startsWith(start)).toBe(true);
  });

  it("shows what was given, and only the first 60 characters of longer JSON", () => {
    const got = (given: string) => /\(got .*\)$/.exec(check(input, { ...fine, code: given }).errors[0] ?? "")?.[0];
    expect(got("x".repeat(58))).toBe(`(got "${"x".repeat(58)}")`);
    expect(got("x".repeat(59))).toBe(`(got "${"x".repeat(59)}…)`);
  });

  it("says where in a list or an object a problem is", () => {
    const deep: Tool["input"] =
      kind === "zod"
        ? object({ days: array(object({ n: int() })) })
        : {
            type: "object",
            properties: {
              days: {
                type: "array",
                items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
              },
            },
          };
    expect(paths(check(deep, { days: [{ n: 1 }, { n: "x" }, {}] }).errors)).toEqual(["days.2.n", "days.1.n"]);
  });
});

it("a field that only another part of a dynamic tool's schema requires is reported as missing too", () => {
  const input: JsonSchema = {
    type: "object",
    properties: { a: { type: "object", allOf: [{ required: ["b", "c"] }] } },
  };
  const { valid, errors } = check(input, { a: {} });
  expect([valid, ...errors]).toEqual([false, "a.b: is required", "a.c: is required"]);
});

it("of more than a hundred problems that a dynamic tool's schema finds, a hundred are reported", () => {
  const input: JsonSchema = { type: "object", properties: { a: { type: "array", items: { type: "integer" } } } };
  const errorsOf = (count: number) => check(input, { a: Array(count).fill("x") }).errors.length;
  expect([errorsOf(99), errorsOf(100), errorsOf(101)]).toEqual([99, 100, 100]);
});

it("a problem that two parts of a dynamic tool's schema find is reported once", () => {
  const least = { minimum: 5 };
  const input: JsonSchema = { type: "object", properties: { n: { type: "integer", allOf: [least, least] } } };
  expect(check(input, { n: 1 }).errors).toHaveLength(1);
});

describe("a pattern in the schema of a dynamic tool", () => {
  const patterned = (pattern: string): JsonSchema => ({
    type: "object",
    properties: { text: { type: "string", pattern }, deep: { anyOf: [{ type: "string", pattern }, { type: "null" }] } },
  });

  it.each([
    ["^(a+)+$", "a repeated repetition"],
    ["^(a|a)*$", "a repeated choice"],
    ["^(?:a?){30}b$", "a repeated option"],
    ["^(a{50}){50}b$", "a count of counts"],
    ["^a*a*a*a*b$", "several open ends"],
    ["a+b", "an open end without an anchor"],
    ["^x|a+b", "an open end in an alternative"],
    ["a?a?a?a?a?a?a?", "many options"],
    ["^(?=a)a", "a lookahead"],
    ["(a)\\1", "a backreference"],
    ["(?<one>a)\\k<one>", "a named backreference"],
    ["a{101}b", "a large count"],
    ["a{2,101}b", "a large count in a range"],
    ["ab".repeat(101), "great length"],
    [`${"ab".repeat(100)}c`, "a character too many"],
  ])("%s, with %s, is left to the tool and never run on a text", (pattern) => {
    expect(isQuickPattern(pattern)).toBe(false);
    const given = { text: `${"a".repeat(50_000)}!`, deep: `${"a".repeat(50_000)}!` };
    expect(check(patterned(pattern), given)).toMatchObject({ valid: true, cleanedParams: given });
  });

  it.each([
    ["^[A-Z]{3}$", "ABC"],
    ["^\\d{4}-\\d{2}-\\d{2}$", "2030-01-01"],
    ["^https?:\\/\\/.*", "https://example.org"],
    ["^(red|green|blue)$", "red"],
    ["^(?:ab)+$", "abab"],
    ["^b?c?d?e?f?g?A$", "bA"],
    ["^a{100}$", "a".repeat(100)],
    ["^a{2,100}$", "aa"],
    ["^[\\w.+-]+?$", "a.b"],
    ["^[)*|+\\]]{2}\\(\\p{Lu}$", ")](Ä"],
    ["ab".repeat(100), "ab".repeat(100)],
  ])("%s is checked", (pattern, fits) => {
    expect(isQuickPattern(pattern)).toBe(true);
    expect(check(patterned(pattern), { text: fits, deep: null }).valid).toBe(true);
    expect(check(patterned(pattern), { text: "?", deep: null }).errors).toEqual([expect.stringContaining("text: ")]);
  });
});

it("an address in a dynamic tool's schema may have a host without a dot, however long it is", () => {
  const address = { type: "string", format: "url" };
  const input: JsonSchema = { type: "object", properties: { at: address, or: { anyOf: [address, { type: "null" }] } } };
  for (const host of ["build", "b".repeat(10_000)]) {
    const given = { at: `https://${host}/log`, or: `https://${host}/log` };
    expect(check(input, given)).toMatchObject({ valid: true, cleanedParams: given });
  }
});

describe("a tool's own check", () => {
  it("is reported like any other", () => {
    expect(check(forecast, { ...fine, city: "Atlantis" }).errors).toEqual(['city: no such place (got "Atlantis")']);
  });
});

describe("defaults", () => {
  it.each<[string, Tool["input"]]>([
    ["zod", object({ units: _default(string(), "metric"), days: _default(number(), 1) })],
    [
      "JSON Schema",
      { type: "object", properties: { units: { type: "string", default: "metric" }, days: { default: 1 } } },
    ],
  ])("of %s are filled in", (_, input) => {
    expect(check(input, { days: 2 }).cleanedParams).toEqual({ units: "metric", days: 2 });
  });

  it("are left out if the parameter could not have them; null is one if it could", () => {
    const text = { type: "string", default: null };
    const properties = {
      note: text,
      count: { type: "integer", default: "1" },
      place: { $ref: "#/$defs/text" },
      until: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
    };
    const input = { type: "object", properties, $defs: { text } };
    expect(check(input, {}).cleanedParams).toEqual({ until: null });
  });
});

describe("unknown keys", () => {
  const input = object({ city: string(), at: optional(object({ hour: int() })) });
  const given = { city: "Oslo", citty: "x", at: { hour: 1, minute: 2 } };

  it.each(["safe", "async"] as const)("are dropped with a warning for %s tools", (category) => {
    expect(check(input, given, { category })).toEqual({
      valid: true,
      errors: [],
      warnings: [
        "citty: is not a parameter; did you mean city?; it was ignored",
        "at.minute: is not a parameter; it was ignored",
      ],
      cleanedParams: { city: "Oslo", at: { hour: 1 } },
    });
  });

  it.each(["terminal", "dangerous"] as const)("are an error for %s tools", (category) => {
    expect(check(input, given, { category, hints: COUNTS }).errors).toEqual([
      "citty: is not a parameter; did you mean city?",
      "at.minute: is not a parameter",
    ]);
  });

  it("are compared with the known ones only as often as a person could read", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`city${at}`, "x"]));
    const { warnings } = check(object({ city: string() }), { city: "Oslo", ...many });
    expect(warnings).toHaveLength(30);
    expect(warnings.filter((warning) => warning.includes("did you mean city?"))).toHaveLength(20);
  });

  it("are accepted if a schema is open, and dropped if it is closed", () => {
    const part: JsonSchema = { type: "object", properties: { a: { type: "integer" } } };
    expect(check({ ...part, additionalProperties: true }, { b: 1 }).cleanedParams).toEqual({ b: 1 });
    expect(check({ ...part, additionalProperties: false }, { b: 1 }).cleanedParams).toEqual({});
    expect(check(strictObject({ a: optional(int()) }), { b: 1 }).cleanedParams).toEqual({});
  });
});

describe("rules between parameters", () => {
  const input = object({
    a: optional(string()),
    b: optional(string()),
    c: optional(string()),
    unit: _default(enumOf(["row", "page"]), "row"),
  });
  const broken = (rule: Rule, given: Record<string, unknown>) => check(input, given, { rules: [rule] }).errors;

  it.each<[string, Rule, Record<string, unknown>, string[]]>([
    ["requires, unused", requires("a", "b"), {}, []],
    ["requires, met", requires("a", "b"), { a: "1", b: "2" }, []],
    [
      "requires, broken",
      requires("a", "b", "c"),
      { a: "1" },
      ["b: is required when a is given", "c: is required when a is given"],
    ],
    ["requiresWhen, other value", requiresWhen("unit", "page", "a"), {}, []],
    [
      "requiresWhen, broken",
      requiresWhen("unit", "page", "a"),
      { unit: "page" },
      ['a: is required when unit is "page"'],
    ],
    ["requiresWhen, broken by a default", requiresWhen("unit", "row", "a"), {}, ['a: is required when unit is "row"']],
    ["requires, met by a default", requires("a", "unit"), { a: "1" }, []],
    ["mutex, none", mutex("a", "b"), {}, []],
    ["mutex, broken", mutex("a", "b"), { a: "1", b: "2" }, ["a, b: give at most one of a and b (got a and b)"]],
    ["exactlyOne, met", exactlyOne("a", "b"), { b: "2" }, []],
    ["exactlyOne, none", exactlyOne("a", "b"), {}, ["a, b: give exactly one of a and b (got none)"]],
    ["exactlyOne, two", exactlyOne("a", "b"), { a: "1", b: "2" }, ["a, b: give exactly one of a and b (got a and b)"]],
    ["exactlyOne, the other null", exactlyOne("a", "b"), { a: "1", b: null }, []],
    ["atLeastOne, several", atLeastOne("a", "b", "c"), { a: "1", c: "3" }, []],
    ["atLeastOne, none", atLeastOne("a", "b", "c"), {}, ["a, b, c: give at least one of a, b and c (got none)"]],
  ])("%s", (_, rule, given, errors) => {
    expect(broken(rule, given)).toEqual(errors);
  });

  it("are reported last, together with every other problem", () => {
    const { errors } = check(input, { unit: "line", a: "1", b: "2" }, { rules: [mutex("a", "b")] });
    expect(paths(errors)).toEqual(["unit", "a, b"]);
  });

  it("are refused with the tool if they name an unknown parameter, or exclude one that a default always gives", () => {
    const tool = probe(() => ({ ok: true, data: 1 }), { input, rules: [exactlyOne("a", "unit"), requires("a", "zz")] });
    expect(checkRegistration(tool).problems).toEqual([
      'tool probe has a rule about "zz", which is not a parameter',
      'tool probe excludes others by "unit", which always has its default',
    ]);
  });

  it("are written as sentences for models", () => {
    expect(rulesText([requires("a", "b", "c"), requiresWhen("unit", "page", "a"), mutex("a", "b")])).toBe(
      'Give b and c when a is given. Give a when unit is "page". Give at most one of a and b.',
    );
  });
});

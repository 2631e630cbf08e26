// The check of values against a foreign JSON Schema. A package that does the same judges which values fit; the wording of the problems
// is in test/toolkit/intake/validation.test.ts.
import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCheck } from "../../../src/toolkit/define/check-value.ts";
import { formats } from "../../../src/toolkit/define/formats.ts";
import { readParts } from "../../../src/toolkit/define/schema-references.ts";
import type { JsonSchema } from "../../../src/toolkit/define/tool.ts";

const check = (schema: JsonSchema, value: unknown, isDraft7 = false) =>
  createCheck(readParts(schema).pointedBy, isDraft7)(schema, value);
const textsOf = (schema: JsonSchema, value: unknown) => check(schema, value).map(({ text }) => text);

const name = fc.constantFrom("a", "b", "c");
const small = fc.nat(3);
const leaf = fc.oneof(fc.constantFrom(null, true, "", "a", "ab", "\u{1f600}", 0, 1, 1.5, 2, 3, -1), name);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, leaf, fc.array(tie("value"), { maxLength: 3 }), fc.dictionary(name, tie("value"))),
}));
const type = fc.constantFrom("null", "boolean", "object", "array", "number", "integer", "string");
const { schema } = fc.letrec<{ schema: JsonSchema | boolean }>((tie) => {
  const one = tie("schema");
  const list = fc.array(one, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(name, one, { maxKeys: 3 });
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    const: value,
    enum: fc.array(value, { minLength: 1, maxLength: 4 }),
    minimum: small,
    maximum: small,
    exclusiveMinimum: small,
    exclusiveMaximum: small,
    multipleOf: fc.constantFrom(1, 2, 0.5, 0.1),
    minLength: small,
    maxLength: small,
    pattern: fc.constantFrom("^a", "b$", "."),
    $ref: fc.constantFrom("#/$defs/a", "#named"),
    not: one,
    anyOf: list,
    allOf: list,
    oneOf: list,
    if: one,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: one,
    else: one,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    minProperties: small,
    maxProperties: small,
    propertyNames: one,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 })),
    dependentSchemas: named,
    dependencies: fc.dictionary(name, fc.oneof(one, fc.uniqueArray(name, { maxLength: 2 }))),
    properties: named,
    patternProperties: fc.dictionary(fc.constantFrom("^a", "[bc]"), one),
    additionalProperties: one,
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    prefixItems: list,
    items: one,
    contains: one,
    minContains: small,
    maxContains: small,
  };
  const some = Object.entries(keywords).map(([keyword, of]) => of.map((said) => ({ [keyword]: said })));
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.array(fc.oneof(...some), { minLength: 1, maxLength: 3 }).map((parts) => Object.assign({}, ...parts)),
    ),
  };
});
/** `unevaluated…` keywords only at the top: below it, the package counts more as evaluated than it should. */
const unjudged = fc.oneof(
  fc.constant({}),
  fc.record({ unevaluatedProperties: fc.boolean(), properties: fc.dictionary(name, schema, { maxKeys: 2 }) }),
  fc.record({ unevaluatedItems: fc.boolean(), prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }) }),
);

describe("a value", () => {
  it.each([false, true])("fits a schema exactly if the package says so, in draft 7: %s", (isDraft7) => {
    // References end here: none leads back.
    const defs = { a: { minLength: 2, minimum: 1 }, b: { $anchor: "named", type: ["string", "object"] } };
    fc.assert(
      fc.property(schema, unjudged, value, (part, rest, given) => {
        // The package doesn't count as evaluated what only this older keyword has evaluated.
        fc.pre(Object.keys(rest).length === 0 || !JSON.stringify(part).includes('"dependencies"'));
        const whole = { ...rest, allOf: [part], $defs: defs };
        const { valid } = new Validator(structuredClone(whole) as Schema, isDraft7 ? "7" : "2020-12").validate(given);
        expect(check(whole, given, isDraft7).length === 0).toBe(valid);
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[string, JsonSchema, unknown, string[]]>([
    ["has too many names", { maxProperties: 1 }, { a: 1, b: 2 }, ["Instance has more than 1 properties."]],
    ["is repeated", { uniqueItems: true }, [1, { a: [2] }, { a: [2] }], ["Duplicate items at indexes 1 and 2."]],
    [
      "has a name that no part of the schema knows",
      { properties: { a: {} }, allOf: [{ properties: { b: {} } }], unevaluatedProperties: false },
      { a: 1, b: 2, c: 3 },
      ['Property "c" does not match unevaluated properties schema.', "False boolean schema."],
    ],
    ["is in the place of a multiple", { multipleOf: 0.1 }, 0.35, ["0.35 is not a multiple of 0.1."]],
    ["fits no choice", { anyOf: [{ type: "string" }, { minimum: 2 }] }, 1, ["Instance does not match any subschemas."]],
  ])("that %s is refused in words", (_what, part, given, texts) => {
    expect(textsOf(part, given)).toEqual(texts);
  });

  it("may have a name that only the older keyword for dependencies has evaluated", () => {
    const part = { dependencies: { a: { properties: { a: true } } }, unevaluatedProperties: false };
    expect([{ a: 1 }, { a: 1, b: 2 }].map((given) => check(part, given, true).length > 0)).toEqual([false, true]);
  });

  it("is a multiple of a tenth, whatever the last bits say", () => {
    expect(textsOf({ multipleOf: 0.1 }, 0.3)).toEqual([]);
    expect(textsOf({ multipleOf: 0.01 }, 19.99)).toEqual([]);
  });
});

describe("a text", () => {
  it.each<[format: string, good: string[], bad: string[]]>([
    ["date", ["2030-02-28", "2028-02-29"], ["2030-02-29", "2030-2-1", "2030-13-01", "today"]],
    ["time", ["10:00:00Z", "23:59:60z", "10:00:00.5+02:00"], ["10:00", "24:00:00Z", "10:00:00"]],
    ["date-time", ["2030-01-01T10:00:00Z", "2030-01-01 10:00:00Z"], ["2030-01-01", "2030-02-30T10:00:00Z"]],
    ["duration", ["P1W", "P1DT2H", "PT5M"], ["P", "1D", "PT"]],
    ["uri", ["https://example.org/a?b#c", "mailto:a@example.org", "urn:a:b"], ["example.org", "https://a b", "/a"]],
    ["uri-reference", ["/a?b", "#c", "https://example.org"], ["a b", "a\\b", "%zz"]],
    ["email", ["a.b+c@example.org", '"a b"@example.org', "a@[127.0.0.1]"], ["a", "a@", ".a@b.c", "a..b@c.d", "a@b c"]],
    ["hostname", ["example.org", "build"], ["-a.org", "a..b", "a b"]],
    ["ipv4", ["127.0.0.1", "255.255.255.255"], ["256.0.0.1", "1.2.3", "1.2.3.4."]],
    ["ipv6", ["::1", "2001:db8::ff", "::ffff:1.2.3.4"], ["1::2::3", "12345::", "::1%a"]],
    ["regex", ["^a+$"], ["("]],
    ["uuid", ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"], ["2eb8aa08", "2eb8aa08-aa98-11ea-b4aa-73b441d1638z"]],
    ["json-pointer", ["", "/a/b~1c"], ["a", "/~2"]],
  ])("is a %s exactly if the package says so", (format, good, bad) => {
    const is = (text: string) => formats.get(format)?.(text);
    const others = new Validator({ format });
    expect([...good, ...bad].map(is)).toEqual([...good.map(() => true), ...bad.map(() => false)]);
    expect([...good, ...bad].map((text) => others.validate(text).valid)).toEqual([...good, ...bad].map(is));
  });

  it("is accepted for every unknown format", () => {
    expect(textsOf({ format: "color" }, "?")).toEqual([]);
  });
});

it.each([
  ["minimum", 3, [false, true, true]],
  ["maximum", 3, [true, true, false]],
  ["exclusiveMinimum", 3, [false, false, true]],
  ["exclusiveMaximum", 3, [true, false, false]],
])("of 2, 3 and 4, those fit that %s %i allows", (keyword, limit, fit) => {
  expect([2, 3, 4].map((number) => check({ [keyword]: limit }, number).length === 0)).toEqual(fit);
});

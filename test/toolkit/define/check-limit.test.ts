// How much work a server's schema can cause for a call's arguments: a limit that arguments never reach if each value is looked at once.
import { expect, it } from "vitest";
import { createCheck } from "../../../src/toolkit/define/check-value.ts";
import { compileInput } from "../../../src/toolkit/define/input-schema.ts";
import { readParts } from "../../../src/toolkit/define/schema-references.ts";
import { validate } from "../../../src/toolkit/intake/validation.ts";

const MOST = 50_000;
const names = Array.from({ length: 300 }, (_, index) => `p${index}`);
const inList = (items: object) => ({ type: "object", properties: { a: { type: "array", items } } });
const list = (length: number, value: unknown): unknown[] => Array.from({ length }, () => value);

function compile(schema: object) {
  const compiled = compileInput({ input: schema as never }, () => ({}));
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.input;
}

function valid(schema: object, a: unknown) {
  const { valid, errors } = validate({ category: "async" }, compile(schema), { a });
  return { valid, errors };
}

it("checks arguments of full size to their end", () => {
  const { valid: isValid, errors } = valid(inList({ type: "number" }), [...list(32_000, 1), {}]);
  expect([isValid, errors.length, errors[0]?.startsWith("a.32000: ")]).toEqual([false, 1, true]);
});

it.each<[string, object, unknown]>([
  ["each item is missing 300 names", { type: "object", required: names }, {}],
  ["each item is too short 300 times", { allOf: names.map((_, index) => ({ minLength: 3 + index })) }, "xx"],
])("finds a hundred problems if %s, and throws nothing", (_what, items, item) => {
  const { valid: isValid, errors } = valid(inList(items), list(20_000, item));
  expect([isValid, errors.length]).toEqual([false, 100]);
});

it("takes no more steps for a call than the limit, including the search for another meaning", () => {
  let steps = 0;
  const check = createCheck(() => {
    steps++;
    return { type: "object" };
  }, false);
  const items = { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) };
  check({ items }, list(20_000, 1));
  const once = steps;
  for (const value of list(20_000, 1)) check(items, value, true);
  expect([once > MOST / 10, once < MOST, steps]).toEqual([true, true, once]);
  check(items, 1);
  expect(steps).toBe(once + names.length);
});

/** The value, with a count of how often it was read. */
function counted<Value extends object>(value: Value, what: "get" | "ownKeys" = "get") {
  const count = { reads: 0 };
  const read = () => {
    count.reads++;
  };
  const counting = new Proxy(value, {
    get: (target, name, receiver) => {
      if (what === "get") read();
      return Reflect.get(target, name, receiver);
    },
    ownKeys: (target) => {
      if (what === "ownKeys") read();
      return Reflect.ownKeys(target);
    },
  });
  return { counting, count };
}

const many = <Part>(length: number, part: (index: number) => Part): Part[] =>
  Array.from({ length }, (_, at) => part(at));

it.each<[string, object]>([
  ["5000 parts that ask for nothing", { allOf: many(5000, () => ({})) }],
  ["1000 other lists", { anyOf: many(1000, (index) => ({ const: [index] })) }],
  ["700 times that nothing is there twice", { allOf: many(700, () => ({ uniqueItems: true })) }],
])("reads a list of a thousand no more often than the limit allows, with %s", (_what, schema) => {
  const { counting, count } = counted(many(1000, (index) => index));
  createCheck(() => null, false)(schema, counting);
  expect(count.reads).toBeLessThan(20 * MOST);
});

it.each(["patternProperties", "dependentRequired"])(
  "reads a thousand %s no more often than the limit allows",
  (name) => {
    const { counting, count } = counted(Object.fromEntries(many(1000, (index) => [`a${index}`, []])));
    createCheck(() => null, false)({ items: { [name]: counting } }, list(1000, {}));
    expect(count.reads).toBeLessThan(2 * MOST);
  },
);

it("counts a text by its length", () => {
  const schema = { allOf: many(1000, () => ({ maxLength: 1 })) };
  const check = createCheck(() => null, false);
  expect([check(schema, "x".repeat(60_000)).length < 100, check(schema, "xx").length]).toEqual([true, 1000]);
});

it("reads a list of choices once, however many texts don't match it", () => {
  const { counting, count } = counted(many(1000, (index) => `choice ${index}`));
  const { errors } = valid(inList({ enum: counting }), list(1000, "CHOICE"));
  expect([errors.length, count.reads < 10_000]).toEqual([100, true]);
  expect(valid(inList({ enum: counting }), ["CHOICE 7"])).toEqual({ valid: true, errors: [] });
});

it("reads a schema's names only once for each of the few unknown keys that get a hint", () => {
  const { counting, count } = counted(Object.fromEntries(many(1000, (index) => [`a${index}`, {}])), "ownKeys");
  const input = compile(inList({ properties: counting }));
  count.reads = 0;
  const { valid: isValid, warnings } = validate({ category: "async" }, input, { a: list(1000, { b: 1 }) });
  expect([isValid, warnings.length, count.reads < 50]).toEqual([true, 1000, true]);
});

it("follows a reference once, however many values are checked by it", () => {
  const { counting, count } = counted({ $ref: "#/$defs/one" });
  const { pointedBy } = readParts({ $defs: { one: { type: "number" } } });
  const found = many(100, () => pointedBy(counting));
  // Each call first asks whether the reference is of the other kind.
  expect([found[99], count.reads]).toEqual([{ type: "number" }, 101]);
});

// JSON from outside: what is not JSON, and what would fill the memory.
import { expect, it } from "vitest";
import { parseJson } from "../../src/core/json.ts";

const MOST = 200_000;
/** A list of this many values, each with this text. */
const list = (values: number, value = "0") => `[${Array.from({ length: values }, () => value).join(",")}]`;

it("valid JSON gives its value, and anything else gives undefined", () => {
  expect(['{"a":[1,null]}', '"a"', "", "{", "a"].map((text) => parseJson(text))).toEqual([
    { a: [1, null] },
    "a",
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  ["numbers", "0", 1],
  ["objects", "{}", 2],
  ["lists", "[]", 2],
  ["fields", '{"a":0}', 2],
])("a text of %s is read up to 200,000 values, and not beyond", (_what, value, counted) => {
  const most = MOST / counted;
  expect(parseJson(list(most, value))).toHaveLength(most);
  expect(parseJson(list(most + 1, value))).toBeUndefined();
});

it("what a string contains doesn't count as values, whatever precedes its end", () => {
  const words = `${"[{,".repeat(MOST)}\\" ,`;
  expect(parseJson(JSON.stringify([words, 1]))).toEqual([words, 1]);
  expect(parseJson(`["\\\\",${list(MOST)}]`)).toBeUndefined();
});

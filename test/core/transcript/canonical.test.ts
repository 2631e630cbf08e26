// Equal calls get the same text, and different calls get different ones.
import { expect, it } from "vitest";
import { canonicalJson } from "../../../src/core/transcript/canonical.ts";

it.each([
  ['{"b":1,"a":[{"d":2,"c":3}]}', ' { "a" : [ { "c" : 3, "d" : 2 } ], "b" : 1 } '],
  ["", "{}"],
  // As the tool itself receives it.
  ['{"id":9007199254740993}', '{"id":"9007199254740993"}'],
])("%j is the same as %j", (one, other) => {
  expect(canonicalJson(one)).toBe(canonicalJson(other));
});

it.each([
  ['{"id":12345678901234567890}', '{"id":12345678901234567891}'],
  ['{"id":1e999}', '{"id":1e998}'],
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ["{", "{ "],
])("%j is a different call from %j", (one, other) => {
  expect(canonicalJson(one)).not.toBe(canonicalJson(other));
});

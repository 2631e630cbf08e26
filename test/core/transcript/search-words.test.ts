// Texts and queries as the full-text index reads them.
import { expect, it } from "vitest";
import { buildMatch, searchable } from "../../../src/core/transcript/search-words.ts";

it.each([
  ["", null],
  ["?! …", null],
  ["Tea", '"tea"'],
  ["plan", '"plan"*'],
  ["Tea plans, tea", '"tea" OR "plans"*'],
  ['a" OR b*', '"a" OR "or" OR "b"'],
  ["お茶の計画", '"お  茶  の  計  画"'],
])("the query for %j is %j", (question, match) => {
  expect(buildMatch(question)).toBe(match);
});

it("a text in a script without spaces is indexed by its characters", () => {
  expect(searchable("green お茶")).toBe("green  お  茶 ");
});

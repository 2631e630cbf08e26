// Where a line that doesn't fit is cut.
import { expect, it } from "vitest";
import { cutInLine } from "../../../src/core/markdown/line-cut.ts";

it.each([
  ["between its words", "aaaa bbbb cccc", 12, "aaaa bbbb "],
  ["where code begins, and not within it", "aaaa bbbb `cc dd`", 14, "aaaa bbbb "],
  ["nowhere if all of it fits", "Yes. Or no", 10, "Yes. Or no"],
  ["before a spoiler, and not in it", "aaaa bbbb ||cc dd|| eeee", 15, "aaaa bbbb "],
  ["before a spoiler with code in it", "aaaa bbbb ||cc `dd ee` ff|| eeee", 20, "aaaa bbbb "],
  ["between the words of a spoiler that is longer", "||aaaa bbbb cccc dddd||", 12, "||aaaa bbbb "],
  [
    "after an address that ends with a sentence",
    `见 https://a.example。 ${"b".repeat(30)}`,
    40,
    "见 https://a.example。",
  ],
])("a line is cut %s", (_where, line, fits, kept) => {
  expect(line.slice(0, cutInLine(line, fits, 0))).toBe(kept);
});

it("a blank with an accent on it is one character and doesn't end a word", () => {
  expect(cutInLine("abcdef \u0301ghijklmnop", 10, 5)).toBe(10);
});

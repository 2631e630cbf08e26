// Cuts of text: none goes through a character.
import { expect, it } from "vitest";
import { cutText } from "../../../src/core/markdown/code-points.ts";

it.each([
  ["abc", 2, "ab"],
  ["abc", 3, "abc"],
  ["abc", 9, "abc"],
  ["a😀b", 2, "a"],
  ["a😀b", 3, "a😀"],
  ["a😀", 3, "a😀"],
  ["😀😀", 3, "😀"],
  ["", 1, ""],
])("%j cut to %i units is %j", (text, units, cut) => {
  expect(cutText(text, units)).toBe(cut);
});

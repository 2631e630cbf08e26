// Lengths of texts and where they are cut: never within a character.
import { expect, it } from "vitest";
import { codePoints, cutText, firstPoints, shortened, unitsAtPoints } from "../../../src/core/markdown/code-points.ts";

it.each([
  ["abc", 2, "ab"],
  ["abc", 3, "abc"],
  ["abc", 9, "abc"],
  ["a😀b", 2, "a"],
  ["a😀b", 3, "a😀"],
  ["a😀", 3, "a😀"],
  ["😀😀", 3, "😀"],
  ["", 1, ""],
  ["\uffffab", 1, "\uffff"],
])("%j cut to %i units is %j", (text, units, cut) => {
  expect(cutText(text, units)).toBe(cut);
});

it.each([
  ["", 0, [0, 0, 0]],
  ["ab", 2, [1, 2, 2]],
  ["😀b", 2, [2, 3, 3]],
  ["\uffffb", 2, [1, 2, 2]],
  ["\u{10000}b", 2, [2, 3, 3]],
  ["\ud83db", 2, [1, 2, 2]],
])("%j has %i code points, and its first one, two and three end at %j", (text, count, ends) => {
  expect(codePoints(text)).toBe(count);
  expect([1, 2, 3].map((points) => unitsAtPoints(text, points))).toEqual(ends);
});

it.each([
  ["a😀b", 3, "a😀b", "a😀b"],
  ["a😀bc", 3, "a😀b", "a😀…"],
  ["😀😀", 1, "😀", "…"],
  ["ab", 1, "a", "…"],
  ["", 0, "", ""],
])("%j begins in %i code points with %j, and is shortened to %j", (text, points, first, short) => {
  expect([firstPoints(text, points), shortened(text, points)]).toEqual([first, short]);
});

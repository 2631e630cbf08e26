// Which names are near each other: those that differ by few edits for their length.
import { expect, it } from "vitest";
import { nearestTo } from "../../../src/toolkit/intake/tool-name.ts";

it.each([
  ["weather", "weather", true],
  ["Weather", "wEATHER", true],
  ["wether", "weather", true],
  ["abcde", "abcxy", true],
  ["abcde", "abxyz", false],
  ["abcde", "vwxde", false],
  ["xyabc", "abc", true],
  ["xyab", "ab", false],
  ["abc", "xyabc", true],
  ["a", "abc", false],
  ["ab", "ba", false],
  ["", "a", false],
])("%j is near %j: %s", (name, other, isNear) => {
  expect(nearestTo(name, [other])).toBe(isNear ? other : null);
});

it("the nearest of several names is suggested, and the first of equally near ones", () => {
  expect(nearestTo("list_days", ["list_daze", "list_day", "list_lays"])).toBe("list_day");
});

it("long names are compared with one of 64 characters, but not with so many that it would take long", () => {
  const longNames = Array.from({ length: 70 }, (_, index) => `${"a".repeat(60)}${1000 + index}`);
  expect(nearestTo(`${"a".repeat(60)}1069`, longNames)).toBe(longNames.at(-1));
  expect(nearestTo(`${"a".repeat(100)}1069`, longNames)).toBeNull();
});

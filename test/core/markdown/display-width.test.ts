// How many columns a text takes, checked against Unicode's own table of wide characters.
import { eastAsianWidth } from "get-east-asian-width";
import { expect, it } from "vitest";
import { displayWidth } from "../../../src/core/markdown/display-width.ts";

/** Pictures and characters without a column are recognized by their kind; surrogates and unassigned code points have no defined width. */
const OTHER = /[\p{Emoji_Presentation}\p{M}\p{Cf}\p{Cc}\p{Cs}\p{Cn}]/u;

const widths = (codes: readonly number[]): [ours: number, theirs: number] => [
  // A line break has no column, and keeps its neighbors from joining into one picture.
  displayWidth(codes.map((code) => String.fromCodePoint(code)).join("\n")),
  codes.reduce((sum, code) => sum + eastAsianWidth(code), 0),
];

it("is two for each wide character of Unicode's table and one for any other", () => {
  const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) => !OTHER.test(String.fromCodePoint(code)),
  );
  expect(codes.length).toBeGreaterThan(280_000);
  const lines = Map.groupBy(codes, (code) => code >> 6).values();
  const wrong = [...lines].filter((line) => widths(line)[0] !== widths(line)[1]);
  expect(wrong.map(([first]) => first?.toString(16))).toEqual([]);
});

it("is two for a picture, however many characters form it, and none for a combining mark", () => {
  expect(displayWidth("👩‍👩‍👧")).toBe(2);
  expect(displayWidth("❤️")).toBe(2);
  expect(displayWidth("e\u0301")).toBe(1);
  expect(displayWidth("\u0301")).toBe(0);
  expect(displayWidth("日本 ok")).toBe(7);
});

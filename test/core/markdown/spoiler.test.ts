// A spoiler is not cut, and one that is still open in a growing text is held back, so that nobody reads its words before they are hidden.
import { array, assert, constantFrom, property } from "fast-check";
import { expect, it } from "vitest";
import { split } from "../../../src/core/markdown/split.ts";
import { withoutOpenSpoiler } from "../../../src/core/markdown/spoiler.ts";

/** The distinct texts that are shown as the text grows by one character at a time. */
const shownOf = (text: string): string[] => {
  const shown = Array.from({ length: text.length + 1 }, (_, length) => withoutOpenSpoiler(text.slice(0, length)));
  return [...new Set(shown)];
};

it("holds a spoiler back until it is closed, even across lines and in a quote", () => {
  for (const spoiler of [
    "||Paris||",
    "|| Paris ||",
    "||Paris\nor Rome||",
    "||`a || b` Paris||",
    "||[Paris](https://p.example)||",
    "||```js\nlet a = b || c;\n\nlet d;\n```||",
  ])
    for (const before of ["It is ", "", "First.\n\n> It is ", "- It is ", "A ||b|| and ", "```\n||\n```\n"]) {
      const text = `${before}${spoiler} indeed`;
      const halves = shownOf(text).filter(
        (shown) => shown.length > before.length && shown.length < text.length - " indeed".length,
      );
      // A single bar may be the first half of a mark.
      expect(halves.filter((shown) => shown !== `${before}|`)).toEqual([]);
      expect(withoutOpenSpoiler(before + spoiler)).toBe(before + spoiler);
      expect(shownOf(text).at(-1)).toBe(text);
    }
});

it("holds nothing back that is not a spoiler: code, a table, an escaped mark, a finished paragraph, a long text", () => {
  for (const text of [
    "`a || b` is",
    "``a || ` b`` is",
    "```js\nif (a || b",
    "| a || b",
    "text\n|a ||",
    "\\||not hidden",
    "||not hidden\n\nnext",
    `||${"x".repeat(1499)}`,
    "||hidden|| and ||hidden|| too",
    "||||",
    "||not hidden\n> \nnext",
  ])
    expect(withoutOpenSpoiler(text)).toBe(text);
});

it("holds back at most 1,500 characters", () => {
  expect(withoutOpenSpoiler(`It is ||${"x".repeat(1498)}`)).toBe("It is ");
  expect(withoutOpenSpoiler(`It is ||${"x".repeat(1499)}`)).toHaveLength(1507);
});

it("is kept in one message, even across lines, unless it is longer than one", () => {
  const first = "word ".repeat(2);
  expect(split(`${first}\n||a\nb|| c\nd`, 20).map(({ piece }) => piece)).toEqual([`${first}\n`, "||a\nb|| c\nd"]);
  expect(split(`||${"a\n".repeat(12)}||`, 20).map(({ piece }) => piece)).toEqual([
    `||${"a\n".repeat(9)}`,
    "a\na\na\n||",
  ]);
});

it("shows more of a text as it grows, and always a prefix of it", () => {
  const piece = constantFrom(
    "||",
    "|",
    "`",
    "``",
    "```",
    "~~~",
    "\\",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "a",
    " b ",
    "word ".repeat(90),
    "[",
    "]",
  );
  assert(
    property(array(piece, { maxLength: 30 }), (pieces) => {
      let before = "";
      for (let count = 1; count <= pieces.length; count++) {
        const text = pieces.slice(0, count).join("");
        const shown = withoutOpenSpoiler(text);
        expect(text.startsWith(shown)).toBe(true);
        expect(shown.startsWith(before)).toBe(true);
        // The next bar may turn this one into a mark.
        before = shown.replace(/\|$/, "");
      }
    }),
    { numRuns: 1000 },
  );
});

// One text into messages: nothing lost, nothing too long, no character torn, and no part changing once it is full.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fenceAfter } from "../../src/core/fences.ts";
import { MESSAGE_CODE_POINTS } from "../../src/core/limits.ts";
import { codePoints, split } from "../../src/core/split.ts";

const RUNS = { numRuns: 1000 };
const LONG = { numRuns: 200 };
const pieces = fc.constantFrom(
  " ",
  "\n",
  "\n\n",
  ". ",
  "word",
  "ein Satz. ",
  "é",
  "😀",
  "👩‍👩‍👧",
  "漢字",
  "\ud83d",
  "\ude00",
  "```\n",
);
const text = fc.array(pieces, { maxLength: 120 }).map((all) => all.join(""));
const limit = fc.integer({ min: 1, max: 40 });
/** Texts beyond Discord's own limit, with long stretches that have no boundary. */
const longText = fc
  .array(fc.tuple(pieces, fc.integer({ min: 1, max: 900 })), { minLength: 1, maxLength: 12 })
  .map((all) => all.map(([piece, times]) => piece.repeat(times)).join(""));

const piecesOf = (whole: string, max?: number) => split(whole, max).map(({ piece }) => piece);
const contentsOf = (whole: string, max?: number) => split(whole, max).map(({ content }) => content);
const startsTorn = (part: string) => /^[\udc00-\udfff]/.test(part);
const endsTorn = (part: string) => /[\ud800-\udbff]$/.test(part);

describe("the parts of a text", () => {
  it("joined are the text", () => {
    fc.assert(
      fc.property(text, limit, (whole, max) => {
        expect(piecesOf(whole, max).join("")).toBe(whole);
      }),
      RUNS,
    );
    fc.assert(
      fc.property(longText, (whole) => {
        expect(piecesOf(whole).join("")).toBe(whole);
      }),
      LONG,
    );
  });

  it("are each within the limit in code points, and none is empty", () => {
    const fits = (whole: string, max: number) => {
      for (const part of contentsOf(whole, max)) {
        expect([...part].length).toBeLessThanOrEqual(max);
        expect(part).not.toBe("");
      }
    };
    fc.assert(fc.property(text, limit, fits), RUNS);
    fc.assert(
      fc.property(longText, (whole) => fits(whole, MESSAGE_CODE_POINTS)),
      LONG,
    );
  });

  it("never meet inside a surrogate pair", () => {
    const whole = (all: string, max: number) => {
      const parts = piecesOf(all, max);
      parts.slice(1).forEach((part, index) => {
        expect(startsTorn(part) && endsTorn(parts[index] ?? "")).toBe(false);
      });
    };
    fc.assert(fc.property(text, limit, whole), RUNS);
    fc.assert(
      fc.property(longText, (all) => whole(all, MESSAGE_CODE_POINTS)),
      LONG,
    );
  });

  it("stay as they are while the text behind them grows, all but the last", () => {
    const stable = (head: string, tail: string, max: number) => {
      const full = split(head, max).slice(0, -1);
      expect(split(head + tail, max).slice(0, full.length)).toEqual(full);
    };
    fc.assert(fc.property(text, text, limit, stable), RUNS);
    fc.assert(
      fc.property(longText, longText, (head, tail) => stable(head, tail, MESSAGE_CODE_POINTS)),
      LONG,
    );
  });

  it("are at least half full but for what fences may need, all but the last", () => {
    fc.assert(
      fc.property(text, limit, (whole, max) => {
        // Half of what is left beside the room for fences, in UTF-16 units, of which a code point has one or two.
        for (const part of contentsOf(whole, max).slice(0, -1)) expect(codePoints(part)).toBeGreaterThan(max / 8);
      }),
      RUNS,
    );
  });
});

describe("a cut", () => {
  const half = "x".repeat(6);
  it.each([
    ["a paragraph", `${half}\n\n`, "y\nz. w v tail"],
    ["a line", `${half}y\n`, "z. w v tail tail"],
    ["a sentence", `${half}y z. `, "w v tail tail"],
    ["a word", `${half}y `, "tailtailtail"],
  ])("comes behind %s, when one ends in the second half", (_, first, rest) => {
    expect(contentsOf(first + rest, 14)[0]).toBe(first);
  });

  it("is a hard one where every boundary would waste half of the message", () => {
    expect(contentsOf("ab cdefghijklmnop", 10)).toEqual(["ab cdefghi", "jklmnop"]);
  });

  it("is made only where the text is over the limit in code points", () => {
    expect(split("😀".repeat(2000))).toHaveLength(1);
    expect(contentsOf("😀".repeat(2001)).map(codePoints)).toEqual([2000, 1]);
  });

  it("of nothing gives no part", () => {
    expect(split("")).toEqual([]);
  });
});

describe("a fence", () => {
  const long = (text: string) => text.repeat(40);

  it.each([
    ["```c++\n", "```"],
    ["````{.py title=x}\n", "````"],
    ["~~~objective-c\n", "~~~"],
    ["> ```js\n> ", "> ```"],
    ["   ```\n", "   ```"],
  ])("%j that is open at a cut is closed there and opened again with its whole line", (opening, closing) => {
    const contents = contentsOf(`${opening}${long("a line of code\n")}`, 200);
    const line = opening.split("\n")[0] ?? "";
    for (const content of contents.slice(0, -1)) expect(content.endsWith(`\n${closing}`)).toBe(true);
    for (const content of contents.slice(1)) expect(content.startsWith(`${line}\n`)).toBe(true);
  });

  it("cuts where it would have cut with more text behind it, also when a text just fits without its closing", () => {
    const head = "```\n```\n```\n";
    expect(split(head, 13)).toHaveLength(2);
    expect(split(`${head} more`, 13)[0]).toEqual(split(head, 13)[0]);
  });

  it("is not cut when its block fits the next message", () => {
    const block = `\`\`\`\n${"code\n".repeat(10)}\`\`\`\n`;
    const contents = contentsOf(`${"Some words. ".repeat(10)}\n\n${block}end`, 150);
    expect(contents[1]?.startsWith(block)).toBe(true);
  });

  it("is balanced in every message, whatever the text, where the limit leaves room for it", () => {
    const markdown = fc.array(
      fc.constantFrom(
        "```c++\n",
        "```\n",
        "~~~\n",
        "````md\n",
        "words and words ",
        "a line\n",
        "\n\n",
        "> quote\n",
        "`code` ",
        "[a](http://b) ",
      ),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(markdown, fc.integer({ min: 60, max: 200 }), (all, max) => {
        const whole = all.join("");
        for (const content of contentsOf(whole, max)) {
          expect(codePoints(content)).toBeLessThanOrEqual(max);
          expect(fenceAfter(content, null)).toBeNull();
        }
        expect(piecesOf(whole, max).join("")).toBe(whole);
      }),
      RUNS,
    );
  });
});

describe("what is kept together", () => {
  it.each([
    ["a family of joiners", `${"x".repeat(7)}👩‍👩‍👧‍👦tail`, 10, `${"x".repeat(7)}`],
    ["an accent and its letter", `${"x".repeat(9)}e\u0301 tail`, 10, "x".repeat(9)],
    ["a flag", `${"x".repeat(9)}🇩🇪tail`, 10, "x".repeat(9)],
    ["inline code", "some words `in code here` tail", 20, "some words "],
    ["a link", "some words [a text](http://x.y/z) tail", 21, "some words "],
    ["a custom emoji", `${"x".repeat(12)}<:name:123456789> tail`, 20, "x".repeat(12)],
  ])("%s", (_what, whole, max, first) => {
    expect(piecesOf(whole, max)[0]).toBe(first);
  });
});

it("code points are counted as Discord counts them, half pairs included", () => {
  fc.assert(
    fc.property(text, (all) => {
      expect(codePoints(all)).toBe([...all].length);
    }),
    RUNS,
  );
});

// One text into messages: nothing lost, nothing too long, no character torn, and no part changing once it is full.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
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

const startsTorn = (part: string) => /^[\udc00-\udfff]/.test(part);
const endsTorn = (part: string) => /[\ud800-\udbff]$/.test(part);

describe("the parts of a text", () => {
  it("joined are the text", () => {
    fc.assert(
      fc.property(text, limit, (whole, max) => {
        expect(split(whole, max).join("")).toBe(whole);
      }),
      RUNS,
    );
    fc.assert(
      fc.property(longText, (whole) => {
        expect(split(whole).join("")).toBe(whole);
      }),
      LONG,
    );
  });

  it("are each within the limit in code points, and none is empty", () => {
    const fits = (whole: string, max: number) => {
      for (const part of split(whole, max)) {
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
      const parts = split(all, max);
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

  it("are at least half full, all but the last", () => {
    fc.assert(
      fc.property(text, limit, (whole, max) => {
        // The share is measured in UTF-16 units, of which a code point has one or two.
        for (const part of split(whole, max).slice(0, -1)) expect(codePoints(part)).toBeGreaterThan(max / 4);
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
    expect(split(first + rest, 14)[0]).toBe(first);
  });

  it("is a hard one where every boundary would waste half of the message", () => {
    expect(split("ab cdefghijklmnop", 10)).toEqual(["ab cdefghi", "jklmnop"]);
  });

  it("is made only where the text is over the limit in code points", () => {
    expect(split("😀".repeat(2000))).toHaveLength(1);
    expect(split("😀".repeat(2001)).map(codePoints)).toEqual([2000, 1]);
  });

  it("of nothing gives no part", () => {
    expect(split("")).toEqual([]);
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

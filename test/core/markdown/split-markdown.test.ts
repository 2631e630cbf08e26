// Generated Markdown, split into messages: whatever a model writes, at once or as it arrives, Discord accepts each message.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { split } from "../../../src/core/markdown/split.ts";
import { arrivals, findPartFaults, markdown, streamed } from "./generated-markdown.ts";

const RUNS = { numRuns: 300 };
/** With a lower limit, a fence and a table may not fit. */
const limit = fc.oneof(fc.constant(2000), fc.integer({ min: 80, max: 600 }));

/** A quote of everything that follows, a reopened fence, and the prefix that keeps the rest of a line in its quote or list. */
const HEAD = /^(?:>>> )?([ \t>]*(`{3,}|~{3,})[^\n]*\n)?[ \t>]*$/;
const TAIL = /^(\n?[ \t>]*(`{3,}|~{3,}))?$/;

describe("the parts of any Markdown", () => {
  it("stay within the limit, leave no fence open, and join to the original text", () => {
    fc.assert(
      fc.property(markdown, limit, (text, max) => {
        const parts = split(text, max);
        expect(findPartFaults(parts, max)).toEqual([]);
        expect(parts.map(({ piece }) => piece).join("")).toBe(text);
      }),
      RUNS,
    );
  });

  it("are the same however the text arrives, always valid, and all final except the last", () => {
    const arriving = fc
      .tuple(markdown, limit)
      .chain(([text, max]) => fc.tuple(fc.constant({ text, max }), arrivals(text)));
    fc.assert(
      fc.property(arriving, ([{ text, max }, places]) => {
        const { faults, parts } = streamed(text, places, max);
        expect(faults).toEqual([]);
        expect(parts).toEqual(split(text, max));
      }),
      RUNS,
    );
  });

  it("never begin inside a grapheme of the text", () => {
    fc.assert(
      fc.property(markdown, limit, (text, max) => {
        const starts = new Set([...new Intl.Segmenter().segment(text)].map(({ index }) => index));
        let at = 0;
        for (const { piece } of split(text, max)) {
          expect(starts.has(at)).toBe(true);
          at += piece.length;
        }
      }),
      RUNS,
    );
  });

  it("show each piece unchanged, except for tables and the fences and quotes that a cut adds", () => {
    const withoutTables = markdown.map((text) => text.replaceAll("|", "/"));
    fc.assert(
      fc.property(withoutTables, limit, (text, max) => {
        for (const { content, piece } of split(text, max)) {
          const isShown = [...content].some((_, at) => {
            const tail = content.slice(at + piece.length);
            return content.startsWith(piece, at) && HEAD.test(content.slice(0, at)) && TAIL.test(tail);
          });
          expect(isShown ? "" : content).toBe("");
        }
      }),
      RUNS,
    );
  });
});

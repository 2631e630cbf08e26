// Long answers as models write them, with code, tables and several scripts, split all at once and as they arrive.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MESSAGE_CODE_POINTS } from "../../../src/core/limits.ts";
import { split } from "../../../src/core/markdown/split.ts";
import { arrivals, findPartFaults, streamed } from "./generated-markdown.ts";

const FOLDER = join(import.meta.dirname, "corpus");
const answers = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }));
const RUNS = { numRuns: 25 };
/** The letters and digits of a text, in order: no way of showing it may lose any. */
const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

it("the corpus has at least a dozen answers, each too long for one message", () => {
  expect(answers.length).toBeGreaterThanOrEqual(12);
  for (const { text } of answers) expect([text.length >= 3000, text.length <= 12_000]).toEqual([true, true]);
  expect(answers.some(({ text }) => text.split("\n").some((line) => line.length >= 5000))).toBe(true);
});

describe.each(answers)("$name", ({ text }) => {
  const parts = split(text);

  it("is split into messages that Discord accepts, without losing anything", () => {
    expect(findPartFaults(parts, MESSAGE_CODE_POINTS)).toEqual([]);
    expect(parts.map(({ piece }) => piece).join("")).toBe(text);
    for (const { content, piece } of parts) expect(inOrder(words(piece), words(content))).toEqual([]);
  });

  it("needs at most one and a half times as many messages as its length requires", () => {
    const fewest = Math.ceil(text.length / MESSAGE_CODE_POINTS);
    expect(parts.length).toBeLessThanOrEqual(Math.ceil(fewest * 1.5));
  });

  it("is cut only after whole lines, unless a single line is too long", () => {
    for (const { piece } of parts.slice(0, -1)) {
      const line = piece.slice(piece.lastIndexOf("\n") + 1);
      if (line !== "") expect(text.split("\n").find((whole) => whole.includes(line))?.length).toBeGreaterThan(1000);
    }
  });

  it("shows no table as raw bars, and no empty code block", () => {
    for (const { content } of parts) {
      expect(outsideCode(content)).not.toMatch(/^\|.*\|$/m);
      expect(content).not.toMatch(/^(`{3,}|~{3,})[^\n`]*\n\1\n*$/);
    }
  });

  it("gives the same messages however it arrives, and correct ones at every moment", () => {
    fc.assert(
      fc.property(arrivals(text), (places) => {
        const { faults, parts: arrived } = streamed(text, places);
        expect(faults).toEqual([]);
        expect(arrived).toEqual(parts);
      }),
      RUNS,
    );
  });
});

/** The expected words that are not found in this order. */
function inOrder(wanted: string[], found: string[]): string[] {
  let at = 0;
  return wanted.filter((word) => {
    const next = found.indexOf(word, at);
    at = next < 0 ? at : next + 1;
    return next < 0;
  });
}

/** The text outside code blocks. */
function outsideCode(content: string): string {
  let closing: string | null = null;
  const kept = content.split("\n").filter((line) => {
    const marker = /^[ >]*(`{3,}|~{3,})/.exec(line)?.[1];
    const wasOpen = closing !== null;
    if (closing === null) closing = marker ?? null;
    else if (marker?.startsWith(closing)) closing = null;
    return !wasOpen && marker === undefined;
  });
  return kept.join("\n");
}

// When a conversation is summarized, where it is cut, and which summaries are accepted.
import { describe, expect, it } from "vitest";
import { countOlder, countWithin, judgeFill, type TurnSize } from "../../../src/core/transcript/compaction.ts";
import { findSummaryFault, MAX_SUMMARY_CHARS, nextSummary } from "../../../src/core/transcript/new-summary.ts";
import { USUAL_WINDOW } from "../../../src/core/transcript/transcript.ts";

const turns = (count: number, tokens: number, rows = 2): TurnSize[] =>
  Array.from({ length: count }, () => ({ tokens, rows }));
const SMALL = { rows: 60, tokens: 2000 };

describe("the cut", () => {
  it.each([
    ["nothing is said yet", [], USUAL_WINDOW, false, 0],
    ["12,000 tokens are not too many", turns(12, 1000), USUAL_WINDOW, false, 6],
    ["13,000 tokens are", turns(13, 1000), USUAL_WINDOW, true, 7],
    ["44 rows are not too many", turns(22, 10), USUAL_WINDOW, false, 16],
    ["46 rows are", turns(23, 10), USUAL_WINDOW, true, 17],
    ["the newest six turns stay whole while they have at most 12,000 tokens", turns(7, 2000), USUAL_WINDOW, true, 1],
    ["fewer stay when they have more", turns(7, 2500), USUAL_WINDOW, true, 3],
    ["the newest turn stays, however large", [...turns(3, 100), { tokens: 50_000, rows: 80 }], USUAL_WINDOW, true, 3],
    ["one turn alone is never summarized", turns(1, 50_000, 80), USUAL_WINDOW, false, 0],
    ["turns of many rows stay while they have at most 45", turns(7, 10, 10), USUAL_WINDOW, true, 3],
    ["a small model's own window counts", turns(4, 500), SMALL, true, 1],
    ["and is not full before three quarters", turns(3, 500), SMALL, false, 0],
    ["a large model's window keeps no more than 12,000 tokens", turns(10, 5000), { rows: 60, tokens: 60_000 }, true, 8],
  ] as const)("%s", (_name, sizes, limits, isDue, older) => {
    expect([judgeFill(sizes, limits) !== "room", countOlder(sizes, limits)]).toEqual([isDue, older]);
  });

  it.each([
    ["13,000 tokens of 16,000 can wait", turns(13, 1000), USUAL_WINDOW, "due"],
    ["14,400 can", turns(16, 900), USUAL_WINDOW, "due"],
    ["14,500 can't", turns(29, 500), { rows: 100, tokens: 16_000 }, "full"],
    ["54 of 60 rows can", turns(27, 10), USUAL_WINDOW, "due"],
    ["56 can't", turns(28, 10), USUAL_WINDOW, "full"],
    ["one turn alone leaves nothing to do", turns(1, 50_000, 80), USUAL_WINDOW, "room"],
  ] as const)("%s", (_name, sizes, limits, fill) => {
    expect(judgeFill(sizes, limits)).toBe(fill);
  });

  it.each([
    [[100, 100, 100], 1000, 3],
    [[100, 100, 100], 200, 2],
    [[100, 100, 100], 199, 1],
    [[5000, 100], 200, 1],
    [[5000], -5, 1],
    [[], 200, 0],
  ])("of turns with %j tokens, a request for %i has room for the oldest %i", (sizes, tokens, count) => {
    expect(countWithin(sizes, tokens)).toBe(count);
  });
});

describe("a summary", () => {
  const about = (length: number) => `About: ${"x".repeat(length - 7)}`;
  it.each([
    ["", 9000, "empty"],
    [" \n ", 9000, "empty"],
    [about(MAX_SUMMARY_CHARS + 1), 90_000, "too_long"],
    [about(MAX_SUMMARY_CHARS), 90_000, null],
    [about(500), 500, "not_shorter"],
    [about(500), 501, null],
    ["I'm sorry, but I can't help with that.", 9000, "refusal"],
    ["I’m unable to summarize this.", 9000, "refusal"],
    ["**Sorry**, I cannot.", 9000, "refusal"],
    ["I cannot do that.", 9000, "refusal"],
    ["As an AI, I won't.", 9000, "refusal"],
    ["Unfortunately there is too much of it.", 9000, "refusal"],
    ["I can sum it up: Mira is sorry about the lamp.", 9000, null],
    ["Mira can't come. Sorry was said by Theo.", 9000, null],
    ["Here are the notes.\n\n## About\nA lamp.", 9000, null],
    ["Zusammenfassung: die Lampe von Mira.", 9000, null],
  ])("of %j that replaces %i characters is judged as %j", (text, replaced, fault) => {
    expect(findSummaryFault(text, replaced)).toBe(fault);
  });

  it("continues where the last one ended, and keeps whose words are in it and whether strangers' words are", () => {
    const made = { text: " About: tea. ", model: "small", at: 7 };
    const first = nextSummary(null, { fromSeq: 3, toSeq: 9, messages: 6, users: ["1"] }, made);
    expect(first).toEqual({
      text: "About: tea.",
      fromSeq: 3,
      toSeq: 9,
      messages: 6,
      users: ["1"],
      model: "small",
      tokens: 3,
      at: 7,
    });
    const part = { fromSeq: 10, toSeq: 14, messages: 5, users: ["2", "1"] };
    const second = nextSummary({ ...first, tainted: true }, part, { ...made, at: 9 });
    expect(second).toMatchObject({ fromSeq: 3, toSeq: 14, messages: 11, users: ["1", "2"], at: 9, tainted: true });
  });
});

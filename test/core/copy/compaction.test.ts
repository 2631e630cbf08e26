// What /bot summary and /bot compact say around a summary: how much is summarized, and since when.
import { expect, it } from "vitest";
import { compactionText, summaryHead } from "../../../src/core/copy/compaction.ts";

it("a summary says what it replaces and when it was written, in seconds", () => {
  expect(summaryHead(null)).toMatch(/^Nothing is summarized here:/);
  expect(summaryHead({ messages: 1, at: 1_999_999 })).toMatch(/^1 earlier message is summarized\..* <t:1999:R>\./);
  expect(summaryHead({ messages: 2, at: 1_999_999 })).toMatch(/^2 earlier messages are summarized\./);
});

it("the messages to be summarized are counted", () => {
  expect(compactionText({ result: "nothing" })).toMatch(/^There is nothing to summarize:/);
  expect(compactionText({ result: "planned", messages: 1 })).toContain("summarize 1 message as");
  expect(compactionText({ result: "planned", messages: 2 })).toContain("summarize 2 messages as");
  const limit = { of: "channel", unit: "tokens", limit: 1000, resetsAt: 0 } as const;
  expect(compactionText({ result: "spent", limit })).toContain("This channel has used up its 1,000 tokens for today.");
});

// What the inspector and the trace say about one request to a model.
import { expect, it } from "vitest";
import { contentsText } from "../../../src/core/copy/inspected-turn.ts";

it("a request's parts are listed if there are any", () => {
  const counts = { leftOutRows: 2, notesChars: 320, overheardLines: 6, tools: 12, estimatedTokens: 2300 };
  expect(contentsText({ ...counts, fromSeq: 4, hasSummary: true }, 1800)).toEqual([
    "2 older messages left out",
    "a summary of older messages",
    "320 characters of notes",
    "6 overheard lines",
    "12 tools",
    "about 2,300 tokens",
    "1,800 tokens cached",
  ]);
  const none = { leftOutRows: 0, notesChars: 0, overheardLines: 0, tools: 1, estimatedTokens: 1 };
  expect(contentsText({ ...none, fromSeq: null, hasSummary: false }, 0)).toEqual(["1 tool", "about 1 token"]);
  expect(contentsText({ ...none, tools: 0, fromSeq: null, hasSummary: false }, 0)).toEqual([
    "0 tools",
    "about 1 token",
  ]);
});

// The details of a turn's timeline: they appear only if there is something to say.
import { expect, it } from "vitest";
import { timelineText } from "../../../src/core/copy/timeline.ts";

it.each([
  [0, "small, 800 ms"],
  [2, "small, 800 ms, 2 calls"],
])("an answer with %i calls", (calls, told) => {
  expect(timelineText.modelAnswered({ model: "small", usage: null, durationMs: 800, calls })).toBe(told);
});

it.each([
  [1, ", 90 ms"],
  [2, ", 90 ms, 2 tries"],
])("a call with %i tries", (attempts, told) => {
  expect(timelineText.callCost({ attempts, cached: false, durationMs: 90 })).toBe(told);
});

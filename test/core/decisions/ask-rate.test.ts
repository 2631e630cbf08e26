// How often one person may ask within a minute.
import { expect, it } from "vitest";
import { mayAskAgainAt } from "../../../src/core/decisions/ask-rate.ts";

it.each<[string, number[], number, number | null]>([
  ["below the limit", [99_000, 98_000], 3, null],
  ["at the limit: when the oldest that counts is a minute old", [99_000, 98_000, 60_000], 3, 120_000],
  ["at the limit within one millisecond", [100_000, 100_000], 2, 160_000],
  ["above it, after the limit was lowered", [99_000, 98_000, 60_000], 1, 159_000],
  ["one millisecond before the minute is over", [40_001], 1, 100_001],
  ["when the minute is over", [40_000], 1, null],
  ["after the clock was set back by an hour: not for an hour", [3_700_000, 3_699_000, 99_000], 2, null],
  ["then: by what was asked since", [3_700_000, 99_000, 98_000], 2, 158_000],
  ["without a limit", [99_000, 98_000, 60_000], 0, null],
])("%s", (_, asked, limit, at) => {
  expect(mayAskAgainAt(asked, limit, 100_000)).toBe(at);
});

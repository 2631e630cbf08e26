// The fast part of the random days and weeks; `npm run faults` plays hundreds.
import { expect, it } from "vitest";
import { CALM, playDay } from "../faults/random-day.ts";
import { playWeek } from "../faults/random-outage.ts";

it.each([1, 2, 3, 4, 5, 6, 7, 8])("a calm day leaves nothing behind: %i", async (seed) => {
  expect(await playDay(seed, CALM)).toEqual([]);
});
it.each([11, 12, 13, 14])("a day on which calls break and lives end leaves nothing behind: %i", async (seed) => {
  expect(await playDay(seed, { faults: 0.02, deaths: 0.01, refusals: 0 })).toEqual([]);
});
it.each([2, 3, 154, 156, 4489])("a week of outages neither loses nor doubles an answer: %i", async (seed) => {
  expect(await playWeek(seed)).toEqual([]);
});

// Random days (`npm run faults`): calm ones, and ones on which calls break, lives end and Discord refuses. Also weeks of outages.
import { describe, expect, it } from "vitest";
import { CALM, type Chances, playDay } from "./random-day.ts";
import { playWeek } from "./random-outage.ts";

const DAYS = 300;
const WEEKS = 200;
const KINDS: readonly (readonly [string, Chances])[] = [
  ["calm", CALM],
  ["with deaths", { ...CALM, deaths: 0.01 }],
  ["with faults", { ...CALM, faults: 0.01 }],
  ["on which Discord refuses", { ...CALM, refusals: 0.03 }],
  ["with everything", { faults: 0.01, deaths: 0.01, refusals: 0.01 }],
];

describe("random days", () => {
  it.each(KINDS)("%s leave nothing behind", async (_, chances) => {
    const found: string[] = [];
    for (let seed = 1; seed <= DAYS; seed++)
      for (const violation of await playDay(seed, chances)) found.push(`day ${seed}: ${violation}`);
    expect(found).toEqual([]);
  });
});

it("random weeks in which Discord often fails neither lose nor double anything", async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= WEEKS; seed++)
    for (const broken of await playWeek(seed)) found.push(`week ${seed}: ${broken}`);
  expect(found).toEqual([]);
});

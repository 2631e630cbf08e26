// The whole crash sweep (`npm run crash`): every single death of every scenario, then each death while the object
// recovers from the first. Its SHARES files can run in parallel, and each prints what it did; the figures in README.md and
// test/README.md are their sums.
import { afterAll, describe, expect, it } from "vitest";
import { shareOf } from "./shares.ts";
import { type SweepResult, sweep } from "./sweep.ts";

/** How many files there are, each in a runtime of its own, whose memory is enough for about 18,000 runs. */
export const SHARES = 8;

/** The tests of one share, counted from 0. */
export function sweepPairs(share: number): void {
  const results: SweepResult[] = [];

  describe("deaths, one and two at a time", () => {
    it.each(shareOf(share, SHARES))("break nothing: %s", async (_name, scenario) => {
      const result = await sweep(scenario, true);
      results.push(result);
      expect(result.broken).toEqual([]);
      expect(result.deaths).toBeGreaterThan(result.points);
    });

    afterAll(() => {
      console.table(
        results.map(({ scenario, writes, points, runs, deaths, broken }) => ({
          scenario,
          writes,
          awaits: points - writes,
          runs,
          deaths,
          broken: broken.length,
        })),
      );
      const sum = (key: "runs" | "deaths") => results.reduce((total, result) => total + result[key], 0);
      console.log(`${sum("deaths")} deaths in ${sum("runs")} runs of ${results.length} scenarios.`);
    });
  });
}

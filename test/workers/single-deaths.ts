// The fast part of the crash sweep: every single death of every scenario, in SHARES files that can run in parallel.
// `npm run crash` also does pairs of deaths.
import { describe, expect, it } from "vitest";
import { shareOf } from "../crash/shares.ts";
import { sweep } from "../crash/sweep.ts";

/** How many files there are. */
export const SHARES = 6;

/** The tests of one share, counted from 0. */
export function sweepSingleDeaths(share: number): void {
  describe("a death at any point", () => {
    it.each(shareOf(share, SHARES))(
      "leaves one whole answer, no effect twice and a working channel: %s",
      async (_name, scenario) => {
        const { broken, deaths } = await sweep(scenario, false);
        expect(broken).toEqual([]);
        expect(deaths).toBeGreaterThan(0);
      },
    );
  });
}

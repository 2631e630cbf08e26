// The whole fault sweep (`npm run faults`): every fault of every call that the object makes of a port, in every story, then pairs. A test file
// runs in one process, so the sweep has SHARES files, which run in parallel. Each prints what it did; the figures in test/README.md are their
// sums.
import { afterAll, describe, expect, it } from "vitest";
import { stories } from "./stories.ts";
import { type SweepResult, sweep } from "./sweep.ts";

/** How many files there are. */
const SHARES = 4;
const SHOWN = 12;

/** The tests of one share, counted from 0. Neighboring stories are alike, so they go into different shares. */
export function sweepFaults(share: number): void {
  const own = stories.filter((_, index) => index % SHARES === share);
  const results: SweepResult[] = [];

  describe("faults, one and two at a time", () => {
    it.each(own.map((story) => [story.name, story] as const))("break nothing: %s", async (_name, story) => {
      const result = await sweep(story, { every: 1, pairs: true });
      results.push(result);
      if (result.violations.length > 0) console.log(`${story.name}\n${result.violations.slice(0, SHOWN).join("\n")}`);
      expect(result.violations).toEqual([]);
    });

    afterAll(() => {
      console.table(results.map((result) => ({ ...result, violations: result.violations.length })));
      const sum = (key: "calls" | "runs" | "faults") => results.reduce((total, result) => total + result[key], 0);
      const violations = results.reduce((total, result) => total + result.violations.length, 0);
      console.log(
        `${sum("faults")} faults in ${sum("runs")} runs of ${results.length} stories with ${sum("calls")} calls: ${violations} violations.`,
      );
    });
  });
}

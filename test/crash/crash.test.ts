// The whole crash sweep (`npm run crash`): every single death of every scenario, then every second death while the object
// recovers from the first. Prints what it did; the figures in README.md and test/README.md come from here.
import { afterAll, describe, expect, it } from "vitest";
import { scenarios } from "./scenarios.ts";
import { scopeScenarios } from "./scope-scenarios.ts";
import { summaryScenario } from "./summary-scenario.ts";
import { type SweepResult, sweep } from "./sweep.ts";

const results: SweepResult[] = [];

describe("deaths, one and two at a time", () => {
  it.each([...scenarios, summaryScenario, ...scopeScenarios].map((scenario) => [scenario.name, scenario] as const))(
    "break nothing: %s",
    async (_name, scenario) => {
      const result = await sweep(scenario, true);
      results.push(result);
      expect(result.broken).toEqual([]);
      expect(result.deaths).toBeGreaterThan(result.points);
    },
  );

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

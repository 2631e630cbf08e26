// The fast part of the crash sweep: every single death of every scenario. `npm run crash` also does pairs of deaths.
import { describe, expect, it } from "vitest";
import { scenarios } from "../crash/scenarios.ts";
import { scopeScenarios } from "../crash/scope-scenarios.ts";
import { summaryScenario } from "../crash/summary-scenario.ts";
import { sweep } from "../crash/sweep.ts";

describe("a death at any point", () => {
  it.each([...scenarios, summaryScenario, ...scopeScenarios].map((scenario) => [scenario.name, scenario] as const))(
    "leaves one whole answer, no effect twice and a working channel: %s",
    async (_name, scenario) => {
      const { broken, deaths } = await sweep(scenario, false);
      expect(broken).toEqual([]);
      expect(deaths).toBeGreaterThan(0);
    },
    120_000,
  );
});

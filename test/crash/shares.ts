// All scenarios of the crash sweep, and their shares: a test file runs in one process, so a sweep has several files.
import type { ScopeScenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { scopeScenarios } from "./scope-scenarios.ts";
import { busySummaryScenario, summaryScenario } from "./summary-scenario.ts";

/** Every scenario. */
const allScenarios: readonly ScopeScenario[] = [...scenarios, summaryScenario, ...scopeScenarios, busySummaryScenario];

/** Returns one share (counted from 0). Neighbors are alike, so they go into different shares. Together the shares have every scenario once. */
export const shareOf = (share: number, shares: number): [name: string, scenario: ScopeScenario][] =>
  allScenarios.flatMap((scenario, index) => (index % shares === share ? [[scenario.name, scenario]] : []));

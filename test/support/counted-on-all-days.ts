// The answer of the e2e Worker's route to what was counted.
import type { UsageSum } from "../../src/core/money/report.ts";

/** What a scope has counted on all days together: of a person, of a channel, of everything, and of each server by its id (`""`: of none). */
export interface CountedOnAllDays {
  user: UsageSum;
  channel: UsageSum;
  all: UsageSum;
  servers: Readonly<Record<string, UsageSum>>;
}

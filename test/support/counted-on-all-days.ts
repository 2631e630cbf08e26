// The answer of the e2e Worker's route that reads what the scopes have counted.
import type { UsageSum } from "../../src/core/money/report.ts";

/** What a scope has counted over all days: for a person, for a channel, in total, and for each server by its id (`""`: outside servers). */
export interface CountedOnAllDays {
  user: UsageSum;
  channel: UsageSum;
  all: UsageSum;
  servers: Readonly<Record<string, UsageSum>>;
}

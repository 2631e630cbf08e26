// When an Identify may be sent. It is counted before it is sent, so a life that dies in between has spent it all the same.
import { type Step, save } from "./step.ts";
import { IDENTIFY_GAP_MS, MAX_IDENTIFIES_PER_DAY, SPENT_BUDGET_WAIT_MS } from "./timings.ts";

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** The milliseconds until an Identify may be sent; 0: now. */
export function identifyWait(step: Step): number {
  const { saved, now } = step;
  if (countIdentifies(step) >= MAX_IDENTIFIES_PER_DAY) return SPENT_BUDGET_WAIT_MS;
  if (saved.lastIdentifyAt === null) return 0;
  // The clock was set back: the gap begins now.
  if (saved.lastIdentifyAt > now) save(step, { lastIdentifyAt: now });
  return Math.max(0, Math.min(saved.lastIdentifyAt, now) + IDENTIFY_GAP_MS - now);
}

/** Counts one. */
export function spendIdentify(step: Step): void {
  const hour = hourOf(step.now);
  const kept = Object.entries(step.saved.identifies).filter(([key]) => Number(key) >= hour - HOURS);
  const identifies = Object.fromEntries(kept);
  identifies[hour] = (identifies[hour] ?? 0) + 1;
  save(step, { lastIdentifyAt: step.now, identifies });
}

/** Those of the last 24 h by the hour, which counts up to an hour more; and of hours to come, if the clock was set back. */
function countIdentifies({ saved, now }: Step): number {
  const recent = Object.entries(saved.identifies).filter(([hour]) => Number(hour) >= hourOf(now) - HOURS);
  return recent.reduce((sum, [, count]) => sum + count, 0);
}

const hourOf = (at: number) => Math.floor(at / HOUR_MS);

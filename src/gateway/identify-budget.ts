// Decides when an Identify may be sent. It is counted before it is sent, so it counts even if the life dies in between.
import { type Step, save } from "./step.ts";
import { IDENTIFY_GAP_MS, MAX_IDENTIFIES_PER_DAY, SPENT_BUDGET_WAIT_MS } from "./timings.ts";

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Returns how many milliseconds are left until an Identify may be sent; 0 means now. */
export function identifyWait(step: Step): number {
  const { saved, now } = step;
  // Includes hours in the future, in case the clock was set back.
  const count = recentIdentifies(step).reduce((sum, [, some]) => sum + some, 0);
  if (count >= MAX_IDENTIFIES_PER_DAY) return SPENT_BUDGET_WAIT_MS;
  if (saved.lastIdentifyAt === null) return 0;
  // If the clock was set back, the gap begins now.
  if (saved.lastIdentifyAt > now) save(step, { lastIdentifyAt: now });
  return Math.max(0, Math.min(saved.lastIdentifyAt, now) + IDENTIFY_GAP_MS - now);
}

/** Counts one Identify. */
export function spendIdentify(step: Step): void {
  const hour = hourOf(step.now);
  const identifies = Object.fromEntries(recentIdentifies(step));
  identifies[hour] = (identifies[hour] ?? 0) + 1;
  save(step, { lastIdentifyAt: step.now, identifies });
}

/** Returns the Identifies by hour for the last 24 h, rounded up to whole hours. */
const recentIdentifies = ({ saved, now }: Step): [string, number][] =>
  Object.entries(saved.identifies).filter(([hour]) => Number(hour) >= hourOf(now) - HOURS);

const hourOf = (at: number) => Math.floor(at / HOUR_MS);

// Decides when the channel's conversation is summarized next; the plan is stored in its lock. No one waits for a summary, so it is tried when
// there is nothing else to do, and abandoned for any message. Only when the window is nearly full is it made while turns run. After four
// failures the conversation continues without it. Pure.
import type { CompactionPlan } from "../state/compaction-plan.ts";
import type { ChannelState } from "../state/record.ts";

/** The waits after the first failures. */
const RETRY_MS = [60_000, 300_000, 900_000] as const;
/** For how long after the last failure no turn's end plans another attempt. */
const RESTED_MS = 3_600_000;

/** Whether there is nothing else to do for anyone. Only then may a summary be made, unless it is urgent. */
export const isAtRest = ({ running, queue, parked, closing }: ChannelState): boolean =>
  running === null && queue.length + parked.length + closing.length === 0;

/** Whether the channel's turns allow making a summary now. */
export const mayCompact = (plan: CompactionPlan, state: ChannelState): boolean =>
  plan.isUrgent === true || isAtRest(state);

/** Returns the plan after a turn's end; undefined: none. A planned attempt keeps its time. `readFill` tells how full the window is. */
export function planAfterTurn(
  known: CompactionPlan | undefined,
  readFill: () => "room" | "due" | "full",
  now: number,
): CompactionPlan | undefined {
  // A time that is further ahead was planned before the clock was set back.
  const plan = (known?.at ?? known?.failedAt ?? 0) > now + RESTED_MS ? undefined : known;
  const isResting = plan?.at === null && now < (plan.failedAt ?? 0) + RESTED_MS;
  if (isResting || plan?.isUrgent) return plan;
  const fill = readFill();
  if (plan && (plan.at !== null || fill === "room")) return fill === "full" ? { ...plan, isUrgent: true } : plan;
  // After a rest there is one attempt, not four.
  return fill === "room"
    ? plan
    : { at: now, failures: plan?.failures ?? 0, ...(fill === "full" && { isUrgent: true }) };
}

/** Returns the plan after a failed attempt; undefined: a summary that a moderator asked for is not tried again. */
export function planAfterFailure(
  { failures, asked, owner }: Pick<CompactionPlan, "failures" | "asked" | "owner">,
  now: number,
): CompactionPlan | undefined {
  if (asked) return undefined;
  const wait = RETRY_MS[failures];
  return { at: wait === undefined ? null : now + wait, failures: failures + 1, failedAt: now, ...(owner && { owner }) };
}

/** Returns the plan after a message made us abandon the attempt: it is tried again as soon as there is nothing else to do. */
export function planAfterAbandoning({ call: _cut, ...plan }: CompactionPlan, now: number): CompactionPlan {
  return { ...plan, at: now };
}

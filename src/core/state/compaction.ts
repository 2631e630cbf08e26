// When the channel's conversation is summarised next, as its lock keeps it. A summary is work that no one waits for. It is tried when
// nothing else is to be done, and given up for any message. Only when the window is nearly full is it made beside the turns. After four
// failures the conversation continues without it. Pure.
import type { SpentBudget } from "../money/limit.ts";
import type { TokenUsage } from "../money/usage.ts";
import type { ChannelState } from "./record.ts";

/** A summary that is to be made. */
export interface CompactionPlan {
  /** When it is tried; null: it has failed too often, and is tried again after a turn that ends `RESTED_MS` later. */
  at: number | null;
  /** Failed attempts in a row. */
  failures: number;
  /** When the last attempt failed. */
  failedAt?: number;
  /** Without it the next requests lose something: it is made beside turns, and given up for none. */
  isUrgent?: true;
  /** The person whose transcript it is, in an object of their own; missing: the channel's. */
  owner?: string;
  /** A moderator wants it now, whatever fills the window; `focus`: what it has to keep most of all. */
  asked?: { focus?: string };
  /** The model call that is under way, or was when a life ended. */
  call?: SummaryCall;
}

/** A model call for a summary: its unique id, where it counts, and what it counts as if its life ends before its answer is stored. */
export interface SummaryCall {
  id: string;
  channelId: string;
  guildId: string | null;
  at: number;
  ifCut: TokenUsage;
}

/** What `/bot summary` shows. `at`: epoch milliseconds. */
export interface SummaryReport {
  text: string;
  /** How many messages are summarised. */
  messages: number;
  at: number;
}

/** What became of `/bot compact`: so many messages are summarised soon, or there are none that could be. */
export type CompactionAnswer =
  | { result: "planned"; messages: number }
  | { result: "nothing" }
  /** The channel's budget pays for no summary. */
  | { result: "spent"; limit: SpentBudget };

/** Waits after the first failures. */
const RETRY_MS = [60_000, 300_000, 900_000] as const;
/** After the last one, how long no turn's end plans another attempt. */
const RESTED_MS = 3_600_000;

/** Is there nothing else to do for anyone? Only then may a summary be made. */
export const isAtRest = ({ running, queue, parked, closing }: ChannelState): boolean =>
  running === null && queue.length + parked.length + closing.length === 0;

/** Is a channel's summary to be made now, as far as its turns are concerned? */
export const mayCompact = (plan: CompactionPlan, state: ChannelState): boolean =>
  plan.isUrgent === true || isAtRest(state);

/** The plan after a turn's end; undefined: nothing is planned. A planned attempt keeps its time. `readFill`: how full the window is. */
export function planAfterTurn(
  plan: CompactionPlan | undefined,
  readFill: () => "room" | "due" | "full",
  now: number,
): CompactionPlan | undefined {
  const isResting = plan?.at === null && now < (plan.failedAt ?? 0) + RESTED_MS;
  if (isResting || plan?.isUrgent) return plan;
  const fill = readFill();
  if (plan && (plan.at !== null || fill === "room")) return fill === "full" ? { ...plan, isUrgent: true } : plan;
  // After a rest there is one attempt, not four.
  return fill === "room"
    ? plan
    : { at: now, failures: plan?.failures ?? 0, ...(fill === "full" && { isUrgent: true }) };
}

/** The plan after a failed attempt; undefined: what a moderator asked for is not tried again. */
export function planAfterFailure(
  { failures, asked, owner }: Pick<CompactionPlan, "failures" | "asked" | "owner">,
  now: number,
): CompactionPlan | undefined {
  if (asked) return undefined;
  const wait = RETRY_MS[failures];
  return { at: wait === undefined ? null : now + wait, failures: failures + 1, failedAt: now, ...(owner && { owner }) };
}

/** The plan after a message came first: it is tried again as soon as nothing else is to be done. */
export function planAfterAbandoning({ call: _cut, ...plan }: CompactionPlan, now: number): CompactionPlan {
  return { ...plan, at: now };
}

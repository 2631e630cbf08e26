// Compares this channel's limits with what was used.
import type { Settings } from "../../src/channel/settings.ts";
import { mayAskAgainAt, RATE_WINDOW_MS } from "../../src/core/decisions/ask-rate.ts";
import {
  isOfToday,
  nearBudget,
  resetsAt,
  STEP_UNITS,
  spentBudget,
  usedBy,
  withTokens,
} from "../../src/core/decisions/budget.ts";
import type { SpentBudget } from "../../src/core/money/limit.ts";
import type { Budgets, DayUsage } from "../../src/core/state/day-usage.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import type { Lock, TurnRecord } from "../../src/core/state/record.ts";
import type { Refusal, UsageReport } from "../../src/core/state/rpc.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { effectiveSettings } from "./effective-settings.ts";

/** Reads the limits of this channel alone from the settings. */
export const readLimits = (settings: Settings): Budgets => ({
  user: { turns: settings.user_turns_per_day, tokens: settings.user_tokens_per_day },
  channel: {
    turns: settings.channel_turns_per_day,
    tokens: settings.channel_tokens_per_day,
    microUsd: settings.channel_usd_per_day,
  },
});

/**
 * Returns the refusal of a person who asks too often, or null. `joins`: the message is meant to join a running turn, which allows one more. But
 * it may still begin a turn, so it is refused once earlier ones have exceeded the limit.
 */
export function refusalByRate(
  ports: ChannelPorts,
  { settings, lock }: { settings: Settings; lock: Lock },
  userId: string,
  now: number,
  joins: boolean,
): Refusal | null {
  const limit = settings.turns_per_minute;
  const asked = limit > 0 ? askedLately(ports, lock, userId, now) : [];
  const againAt = mayAskAgainAt(asked, limit + Number(joins), now);
  return againAt === null ? null : { reason: "too_often", limit, againAt };
}

/** Returns when this person asked in the last minute, newest first, including questions that were forgotten since. */
export function askedLately(
  { store }: Pick<ChannelPorts, "store">,
  { usage }: Lock,
  userId: string,
  now: number,
): number[] {
  const since = now - RATE_WINDOW_MS;
  const forgotten = usage?.asked?.[userId] ?? [];
  return [...store.askedSince(userId, since), ...forgotten.filter((at) => at > since)].sort(
    (one, other) => other - one,
  );
}

/** Returns the budget that keeps this waiting turn from starting, or null. */
export function spentBeforeStart(ports: ChannelPorts, { request }: TurnRecord): SpentBudget | null {
  const now = ports.clock();
  return spentBudget(usedBy(ports.store.state(), request.userId, now), readLimits(effectiveSettings(ports)), now);
}

/**
 * Returns the budget that forbids this running turn another model call, or null. Usage counts toward the day on which the turn
 * began.
 */
export function spentBeforeCall(ports: ChannelPorts, { request, startedAt }: TurnRecord): SpentBudget | null {
  const limits = readLimits(effectiveSettings(ports));
  // This runs before every model call, and most channels have no limit.
  if (![limits.user, limits.channel].some((one) => STEP_UNITS.some((unit) => (one[unit] ?? 0) > 0))) return null;
  const at = startedAt ?? ports.clock();
  return spentBudget(usedBy(ports.store.state(), request.userId, at), limits, at, STEP_UNITS);
}

/** Returns the channel's budget that forbids a summary of its conversation, or null. */
export function spentBeforeSummary(ports: ChannelPorts): SpentBudget | null {
  const now = ports.clock();
  const limits = { user: { turns: 0, tokens: 0 }, channel: readLimits(effectiveSettings(ports)).channel };
  return spentBudget(usedBy(ports.store.state(), "", now), limits, now, STEP_UNITS);
}

/** Counts tokens of turns that end while parked, within the caller's transaction, and ends the series of follow-ups. */
export function countTokens({ store }: ChannelPorts, ended: readonly TurnRecord[]): void {
  const begun = ended.filter(({ startedAt }) => startedAt !== null);
  const lock = store.lock();
  if (lock.usage && begun.length > 0)
    store.saveLock({ ...lock, followUps: null, usage: begun.reduce(withTokens, lock.usage) });
}

/** Adds today's nearly spent limit to an ending. The ending is unchanged when notices are off or a limit ended the turn. */
export function withNearBudget(
  ports: ChannelPorts,
  usage: DayUsage | undefined,
  turn: TurnRecord,
  ending: Ending,
): Ending {
  const settings = effectiveSettings(ports);
  const isShown = settings.notices && ending.kind !== "budget_spent";
  const near = isShown && usage && isOfToday(usage, ports.clock()) && nearBudget(usage, turn, readLimits(settings));
  return near ? { ...ending, near } : ending;
}

/** Reports what one person and the channel have used today, and the limits. */
export function usageReport(ports: ChannelPorts, userId: string): UsageReport {
  const now = ports.clock();
  const settings = effectiveSettings(ports);
  return {
    used: usedBy(ports.store.state(), userId, now),
    limits: readLimits(settings),
    resetsAt: resetsAt(now),
    acrossServer: { userMicroUsd: settings.user_usd_per_day, serverMicroUsd: settings.server_usd_per_day },
  };
}

// Compares this channel's budgets with what was used.
import type { Settings } from "../../src/channel/settings.ts";
import {
  type Budgets,
  type DayUsage,
  nearBudget,
  resetsAt,
  type SpentBudget,
  spentBudget,
  usedBy,
  withTokens,
} from "../../src/core/state/budget.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { UsageReport } from "../../src/core/state/rpc.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { effectiveSettings } from "./effective-settings.ts";

/** Reads the four limits from the settings. */
export const readLimits = (settings: Settings): Budgets => ({
  user: { turns: settings.user_turns_per_day, tokens: settings.user_tokens_per_day },
  channel: { turns: settings.channel_turns_per_day, tokens: settings.channel_tokens_per_day },
});

/** The budget that keeps this waiting turn from starting, or null. */
export function spentBeforeStart(ports: ChannelPorts, { request }: TurnRecord): SpentBudget | null {
  const now = ports.clock();
  return spentBudget(usedBy(ports.store.state(), request.userId, now), readLimits(effectiveSettings(ports)), now);
}

/**
 * The budget that forbids this running turn another model call, or null. Usage counts toward the day on which the turn
 * began.
 */
export function spentBeforeCall(ports: ChannelPorts, { request, startedAt }: TurnRecord): SpentBudget | null {
  const limits = readLimits(effectiveSettings(ports));
  // This runs before every model call, and most channels have no limit.
  if (limits.user.tokens === 0 && limits.channel.tokens === 0) return null;
  const used = usedBy(ports.store.state(), request.userId, startedAt ?? ports.clock());
  return spentBudget(used, limits, ports.clock(), ["tokens"]);
}

/** Counts the tokens of turns that end while parked, within the caller's transaction. */
export function countTokens({ store }: ChannelPorts, ended: readonly TurnRecord[]): void {
  const begun = ended.filter(({ startedAt }) => startedAt !== null);
  const lock = store.lock();
  if (lock.usage && begun.length > 0) store.saveLock({ ...lock, usage: begun.reduce(withTokens, lock.usage) });
}

/** Adds to an ending the limit that is nearly used up; unchanged when notices are off or a limit ended the turn. */
export function withNearBudget(
  ports: ChannelPorts,
  usage: DayUsage | undefined,
  turn: TurnRecord,
  ending: Ending,
): Ending {
  const settings = effectiveSettings(ports);
  if (!usage || !settings.notices || ending.kind === "budget_spent") return ending;
  const near = nearBudget(usage, turn, readLimits(settings));
  return near ? { ...ending, near } : ending;
}

/** Reports what one person and the channel have used today, and the limits. */
export function usageReport(ports: ChannelPorts, userId: string): UsageReport {
  const now = ports.clock();
  return {
    used: usedBy(ports.store.state(), userId, now),
    limits: readLimits(effectiveSettings(ports)),
    resetsAt: resetsAt(now),
  };
}

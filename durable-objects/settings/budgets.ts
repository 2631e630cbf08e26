// The budgets that hold in this channel against what was used of them.
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

/** The four limits among the settings. */
export const readLimits = (settings: Settings): Budgets => ({
  user: { turns: settings.user_turns_per_day, tokens: settings.user_tokens_per_day },
  channel: { turns: settings.channel_turns_per_day, tokens: settings.channel_tokens_per_day },
});

/** What leaves no room for this waiting turn to start, or null. */
export function spentBeforeStart(ports: ChannelPorts, { request }: TurnRecord): SpentBudget | null {
  const now = ports.clock();
  return spentBudget(usedBy(ports.store.state(), request.userId, now), readLimits(effectiveSettings(ports)), now);
}

/** What leaves no room for one more call of the model in this running turn, or null. The turn belongs to the day it began on. */
export function spentBeforeCall(ports: ChannelPorts, { request, startedAt }: TurnRecord): SpentBudget | null {
  const limits = readLimits(effectiveSettings(ports));
  // Asked before every call of a model, and most channels have no limit.
  if (limits.user.tokens === 0 && limits.channel.tokens === 0) return null;
  const used = usedBy(ports.store.state(), request.userId, startedAt ?? ports.clock());
  return spentBudget(used, limits, ports.clock(), ["tokens"]);
}

/** Counts what turns have used that end while they do not run, within the caller's transaction: those that were parked. */
export function countTokens({ store }: ChannelPorts, ended: readonly TurnRecord[]): void {
  const begun = ended.filter(({ startedAt }) => startedAt !== null);
  const lock = store.lock();
  if (lock.usage && begun.length > 0) store.saveLock({ ...lock, usage: begun.reduce(withTokens, lock.usage) });
}

/** The ending of a turn with the limit that it has brought near; none where notices are off, or where a limit ended it. */
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

/** What one person and the channel have used today, against the limits. */
export function usageReport(ports: ChannelPorts, userId: string): UsageReport {
  const now = ports.clock();
  return {
    used: usedBy(ports.store.state(), userId, now),
    limits: readLimits(effectiveSettings(ports)),
    resetsAt: resetsAt(now),
  };
}

// Owns the plan of the next summary: made when a turn ends, changed when a message comes first, or by people (summary-on-demand.ts). A summary's
// call counts once, for the channel and its scope but for no person, whatever its outcome. See README.md in durable-objects/turn.

import { withChannelUsage } from "../../src/core/decisions/budget.ts";
import { planAfterAbandoning, planAfterFailure, planAfterTurn } from "../../src/core/decisions/compaction.ts";
import { type TokenUsage, withStep } from "../../src/core/money/usage.ts";
import type { CompactionPlan, SummaryCall } from "../../src/core/state/compaction-plan.ts";
import { isSetApart, transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { Lock, TurnRequest } from "../../src/core/state/record.ts";
import type { WindowLimits } from "../../src/core/transcript/transcript.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import { windowOf } from "../../src/turn/prompt.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { noteReport } from "../scope-calls/usage-reports.ts";
import { orderedModels } from "../settings/effective-settings.ts";
import { fillOfWindow } from "../turn/summarizable.ts";

/** Returns the context window of the model that answers first here. */
export const windowHere = (ports: ChannelPorts, request: Pick<TurnRequest, "guildId">): WindowLimits =>
  windowOf(orderedModels(ports, request)[0]);

/**
 * Returns the plan for the next summary, for the transaction that ends this turn to store in the lock. `known`: the current plan. Writes
 * nothing.
 */
export function planCompaction(
  ports: ChannelPorts,
  request: TurnRequest,
  known: CompactionPlan | undefined,
): Pick<Lock, "compaction"> {
  const { store, clock } = ports;
  // A private turn in a shared channel is not part of the channel's transcript.
  const isApart = isSetApart(request);
  const owner = transcriptOwner(request);
  const readFill = () => (isApart ? "room" : fillOfWindow(store, windowHere(ports, request), owner));
  const plan = planAfterTurn(known, readFill, clock());
  return planned(plan && owner !== null && !isApart ? { ...plan, owner } : plan);
}

/** Returns the lock's field for a plan. Without a plan the lock doesn't have the field. */
export const planned = (compaction: CompactionPlan | undefined): Pick<Lock, "compaction"> =>
  compaction ? { compaction } : {};

/**
 * Returns the lock for the beginning of a turn, to store in the caller's transaction. A summary that is being made is given up and tried again
 * later, unless it can't wait.
 */
export const giveWay = (channel: Channel, lock: Lock): Lock =>
  channel.compacting && lock.compaction?.isUrgent ? lock : abandonCompaction(channel, lock);

/** Gives up the summary that is being made. Returns the lock, with a plan for another attempt, to store in the caller's transaction. */
export function abandonCompaction(channel: Channel, lock: Lock): Lock {
  const isOurs = endCompacting(channel);
  const { compaction: plan, ...rest } = lock;
  if (!plan?.call) return lock;
  const now = channel.ports.clock();
  const counted = withCallCounted(channel, rest, plan.call, plan.call.ifCut);
  return { ...counted, ...planned(isOurs ? planAfterAbandoning(plan, now) : planAfterFailure(plan, now)) };
}

/** Ends this life's attempt. Returns whether there was one. */
function endCompacting(channel: Channel): boolean {
  const { compacting } = channel;
  channel.compacting = null;
  compacting?.controller.abort({ kind: "superseded" } satisfies TurnAbort);
  return compacting !== null;
}

/** Counts a summary's call in the channel's figures of today and in a report for the scope, within the caller's transaction. */
export function withCallCounted(channel: Channel, lock: Lock, call: SummaryCall, step: TokenUsage | null): Lock {
  const { id: turnId, channelId, guildId, at } = call;
  const usage = withStep({ inputTokens: 0, outputTokens: 0, modelCalls: 0 }, step);
  noteReport(channel, { turnId, userId: "", channelId, guildId, at, usage });
  return { ...lock, usage: withChannelUsage(lock.usage, usage, channel.ports.clock()) };
}

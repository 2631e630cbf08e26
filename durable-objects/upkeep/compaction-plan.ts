// The plan of the next summary: made when a turn ends, changed when a message goes first, or by people (summary-on-demand.ts). The call
// of a summary counts once, for the channel and its scope and for no person, whatever became of it. See README.md in durable-objects/turn.

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
import { fillOfWindow } from "../turn/summarisable.ts";

/** The window of the model that answers first here. */
export const windowHere = (ports: ChannelPorts, request: Pick<TurnRequest, "guildId">): WindowLimits =>
  windowOf(orderedModels(ports, request)[0]);

/**
 * The plan for the next summary, as the transaction that ends this turn has to store it in the lock. `known`: the plan that is there. Writes
 * nothing.
 */
export function planCompaction(
  ports: ChannelPorts,
  request: TurnRequest,
  known: CompactionPlan | undefined,
): Pick<Lock, "compaction"> {
  const { store, clock } = ports;
  // A private turn among others' has no part in the channel's transcript.
  const isApart = isSetApart(request);
  const owner = transcriptOwner(request);
  const readFill = () => (isApart ? "room" : fillOfWindow(store, windowHere(ports, request), owner));
  const plan = planAfterTurn(known, readFill, clock());
  return planned(plan && owner !== null && !isApart ? { ...plan, owner } : plan);
}

/** Without a plan the lock has no such field. */
export const planned = (compaction: CompactionPlan | undefined): Pick<Lock, "compaction"> =>
  compaction ? { compaction } : {};

/**
 * The lock when a turn begins, to be stored in the caller's transaction. A summary that is being made is given up and tried again later,
 * unless it can't wait.
 */
export const giveWay = (channel: Channel, lock: Lock): Lock =>
  channel.compacting && lock.compaction?.isUrgent ? lock : abandonCompaction(channel, lock);

/** Gives up the summary that is being made. Returns the lock to store in the caller's transaction: it plans another try. */
export function abandonCompaction(channel: Channel, lock: Lock): Lock {
  const isOurs = endCompacting(channel);
  const { compaction: plan, ...rest } = lock;
  if (!plan?.call) return lock;
  const now = channel.ports.clock();
  const counted = withCallCounted(channel, rest, plan.call, plan.call.ifCut);
  return { ...counted, ...planned(isOurs ? planAfterAbandoning(plan, now) : planAfterFailure(plan, now)) };
}

/** Ends the attempt of this life, if there is one. */
function endCompacting(channel: Channel): boolean {
  const { compacting } = channel;
  channel.compacting = null;
  compacting?.controller.abort({ kind: "superseded" } satisfies TurnAbort);
  return compacting !== null;
}

/** Counts the call of a summary: today's figures of the channel, and a report for the scope. Within the caller's transaction. */
export function withCallCounted(channel: Channel, lock: Lock, call: SummaryCall, step: TokenUsage | null): Lock {
  const { id: turnId, channelId, guildId, at } = call;
  const usage = withStep({ inputTokens: 0, outputTokens: 0, modelCalls: 0 }, step);
  noteReport(channel, { turnId, userId: "", channelId, guildId, at, usage });
  return { ...lock, usage: withChannelUsage(lock.usage, usage, channel.ports.clock()) };
}

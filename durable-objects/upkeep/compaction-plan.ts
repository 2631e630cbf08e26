// The plan of the next summary: made when a turn ends, changed when a message goes first or people want something forgotten. The call
// of a summary counts once, for the channel and its scope and for no person, whatever became of it. See README.md in durable-objects/turn.

import { withChannelUsage } from "../../src/core/decisions/budget.ts";
import { planAfterAbandoning, planAfterFailure, planAfterTurn } from "../../src/core/decisions/compaction.ts";
import { type TokenUsage, withStep } from "../../src/core/money/usage.ts";
import type {
  CompactionAnswer,
  CompactionPlan,
  SummaryCall,
  SummaryReport,
} from "../../src/core/state/compaction-plan.ts";
import { isSetApart, transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { Lock, TurnRequest } from "../../src/core/state/record.ts";
import { withoutUnseenLinks } from "../../src/core/taint/unseen-links.ts";
import type { WindowLimits } from "../../src/core/transcript/transcript.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import { windowOf } from "../../src/turn/prompt.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { noteReport } from "../scope-calls/usage-reports.ts";
import { spentBeforeSummary } from "../settings/budgets.ts";
import { orderedModels } from "../settings/effective-settings.ts";
import { countSummarisable, fillOfWindow } from "../turn/summarisable.ts";

/** The window of the model that answers first here. */
export const windowHere = (ports: ChannelPorts, request: Pick<TurnRequest, "guildId">): WindowLimits =>
  windowOf(orderedModels(ports, request)[0]);

/** The request of the newest turn in the transcript: where the conversation takes place. Null: there is none. `owner`: whose it is. */
export function newestRequest({ store }: Pick<ChannelPorts, "store">, owner: string | null = null): TurnRequest | null {
  const turnId = store.messagesBefore("", 1, owner)[0]?.turnId;
  return turnId === undefined ? null : (store.turn(turnId)?.request ?? null);
}

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
function abandonCompaction(channel: Channel, lock: Lock): Lock {
  const isOurs = endCompacting(channel);
  const { compaction: plan, ...rest } = lock;
  if (!plan?.call) return lock;
  const now = channel.ports.clock();
  const counted = withCallCounted(channel, rest, plan.call, plan.call.ifCut);
  return { ...counted, ...planned(isOurs ? planAfterAbandoning(plan, now) : planAfterFailure(plan, now)) };
}

/**
 * Stores the lock without a plan, and with the call counted that was under way: what it summarises is forgotten. Within the caller's
 * transaction.
 */
export function dropCompaction(channel: Channel): void {
  const { store } = channel.ports;
  const { compaction, ...lock } = abandonCompaction(channel, store.lock());
  if (compaction) store.saveLock(lock);
}

/** Plans a summary anew where there is enough to summarise, within the caller's transaction. */
export function replanCompaction(ports: ChannelPorts): void {
  const { store } = ports;
  const request = newestRequest(ports);
  const lock = store.lock();
  const plan = request ? planCompaction(ports, request, lock.compaction) : {};
  if (plan.compaction) store.saveLock({ ...lock, ...plan });
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

/**
 * A moderator wants a summary now. It is made when nothing else is to be done; repeating it changes nothing more. `owner`: the person whose
 * own object this is.
 */
export function requestCompaction(channel: Channel, focus: string | null, owner: string | null): CompactionAnswer {
  const { ports } = channel;
  const { store, clock } = ports;
  const request = newestRequest(ports, owner);
  const messages = request ? countSummarisable(store, windowHere(ports, request), owner) : 0;
  if (messages === 0) return { result: "nothing" };
  const spent = spentBeforeSummary(ports);
  if (spent) return { result: "spent", limit: spent };
  store.transaction(() => {
    const lock = abandonCompaction(channel, store.lock());
    const asked = focus === null ? {} : { focus };
    store.saveLock({ ...lock, compaction: { at: clock(), failures: 0, asked, ...(owner !== null && { owner }) } });
  });
  rearm(channel);
  return { result: "planned", messages };
}

/**
 * What `/bot summary` shows; null: nothing is summarised. Whoever wrote what a tainted one was made of may have chosen its links, and what
 * people had named is not kept with it, so none of them can be clicked.
 */
export function readSummary({ ports }: Channel): SummaryReport | null {
  const summary = ports.store.summary();
  if (!summary) return null;
  const { text, messages, at, tainted } = summary;
  return { text: tainted ? withoutUnseenLinks(text, new Set()) : text, messages, at };
}

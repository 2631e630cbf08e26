// What people do with the summary: read it, have it made now, or have forgotten what it was made of.
import type { CompactionAnswer, SummaryReport } from "../../src/core/state/compaction-plan.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import { withoutUnseenLinks } from "../../src/core/taint/unseen-links.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { spentBeforeSummary } from "../settings/budgets.ts";
import { countSummarisable } from "../turn/summarisable.ts";
import { abandonCompaction, planCompaction, windowHere } from "./compaction-plan.ts";

/** The request of the newest turn in the transcript: where the conversation takes place. Null: there is none. `owner`: whose it is. */
export function newestRequest({ store }: Pick<ChannelPorts, "store">, owner: string | null = null): TurnRequest | null {
  const turnId = store.messagesBefore("", 1, owner)[0]?.turnId;
  return turnId === undefined ? null : (store.turn(turnId)?.request ?? null);
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

/** Plans a summary again if there is enough to summarise, within the caller's transaction. */
export function replanCompaction(ports: ChannelPorts): void {
  const { store } = ports;
  const request = newestRequest(ports);
  const lock = store.lock();
  const plan = request ? planCompaction(ports, request, lock.compaction) : {};
  if (plan.compaction) store.saveLock({ ...lock, ...plan });
}

/**
 * A moderator wants a summary now. It is made when there is nothing else to do; repeating it changes nothing more. `owner`: the person whose
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

// Does what people want of the summary: shows it, plans one now, or drops its plan when its messages are forgotten.
import type { CompactionAnswer, SummaryReport } from "../../src/core/state/compaction-plan.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import { withoutUnseenLinks } from "../../src/core/taint/unseen-links.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { spentBeforeSummary } from "../settings/budgets.ts";
import { countSummarizable } from "../turn/summarizable.ts";
import { abandonCompaction, planCompaction, windowHere } from "./compaction-plan.ts";

/** Returns the request of the newest turn in the transcript, which says where the conversation is; null if there is none. `owner`: whose it is. */
export function newestRequest({ store }: Pick<ChannelPorts, "store">, owner: string | null = null): TurnRequest | null {
  const turnId = store.messagesBefore("", 1, owner)[0]?.turnId;
  return turnId === undefined ? null : (store.turn(turnId)?.request ?? null);
}

/**
 * Stores the lock without a plan, because what it would summarize is forgotten, and counts a call that was under way. Within the caller's
 * transaction.
 */
export function dropCompaction(channel: Channel): void {
  const { store } = channel.ports;
  const { compaction, ...lock } = abandonCompaction(channel, store.lock());
  if (compaction) store.saveLock(lock);
}

/** Plans a summary again if there is enough to summarize, within the caller's transaction. */
export function replanCompaction(ports: ChannelPorts): void {
  const { store } = ports;
  const request = newestRequest(ports);
  const lock = store.lock();
  const plan = request ? planCompaction(ports, request, lock.compaction) : {};
  if (plan.compaction) store.saveLock({ ...lock, ...plan });
}

/**
 * Plans a summary at a moderator's request. It is made once there is nothing else to do; repeating the request changes nothing more. `owner`: the
 * visitor whose object this is.
 */
export function requestCompaction(channel: Channel, focus: string | null, owner: string | null): CompactionAnswer {
  const { ports } = channel;
  const { store, clock } = ports;
  const request = newestRequest(ports, owner);
  const messages = request ? countSummarizable(store, windowHere(ports, request), owner) : 0;
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
 * Returns what `/bot summary` shows; null if there is no summary. In a tainted one strangers may have chosen the links, and the addresses that
 * people named are not kept with it, so none of its links can be clicked.
 */
export function readSummary({ ports }: Channel): SummaryReport | null {
  const summary = ports.store.summary();
  if (!summary) return null;
  const { text, messages, at, tainted } = summary;
  return { text: tainted ? withoutUnseenLinks(text, new Set()) : text, messages, at };
}

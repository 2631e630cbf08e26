// Remembers questions and their channels for a day, so that a question that its channel has is not forwarded again, edits and deletions of
// questions are recognized, threads in which we were asked are known, and the right channels are read after a gap. Pure.

import type { AnswerTo } from "../core/state/answer-to.ts";
import type { GatewayMessage, Place } from "./message.ts";
import { compareIds } from "./snowflake.ts";
import { CHANNEL_ROW_MS, MAX_CAUGHT_UP_CHANNELS, MAX_REMEMBERED, MEMORY_LIFE_MS } from "./timings.ts";

/** A question that its channel has. */
export interface RememberedQuestion {
  channelId: string;
  at: number;
  /** The newest edit that the channel has. */
  editedAt?: string;
  deleted?: true;
}

/**
 * A channel from which something was forwarded, or a thread in which we have written. `answerTo`: from its last receipt; null before the first.
 */
export interface KnownChannel {
  place: Place;
  answerTo: AnswerTo | null;
  at: number;
  /** The id of the message for which it was noted. Missing if an older program noted it. */
  first?: string;
  /** Set for a thread that was noted because we have written there. */
  isOurs?: true;
}

/** Both by id, the oldest entry first. */
export interface Recollection {
  readonly questions: Readonly<Record<string, RememberedQuestion>>;
  readonly channels: Readonly<Record<string, KnownChannel>>;
}

/** Nothing is remembered. */
export const emptyRecollection: Recollection = { questions: {}, channels: {} };

/** Remembers a question. `forgotten`: the ids that are dropped for it. */
export function rememberQuestion(known: Recollection, id: string, question: RememberedQuestion, now: number) {
  const { kept, forgotten } = put(known.questions, id, question, now);
  return { known: { ...known, questions: kept }, forgotten };
}

/** Remembers a channel. `isWritten`: whether its row must be written too. */
export function rememberChannel(known: Recollection, id: string, channel: KnownChannel) {
  const before = known.channels[id];
  const isWritten =
    before === undefined || before.answerTo !== channel.answerTo || Math.abs(channel.at - before.at) >= CHANNEL_ROW_MS;
  // Until the row is written again only the order changes, so that the next call compares with the row's time.
  const { kept, forgotten } = put(known.channels, id, isWritten ? channel : before, channel.at);
  return { known: { ...known, channels: kept }, forgotten, isWritten };
}

/** Whether we were asked in this message's thread before it, within a day, and the thread's setting may make everything after that a question. */
export function isInAskedThread(
  { channels, questions }: Recollection,
  { id, channelId }: Pick<GatewayMessage, "id" | "channelId">,
  now: number,
): boolean {
  const answersAll = (channel: KnownChannel | undefined): boolean =>
    channel !== undefined && (channel.answerTo ?? "thread") === "thread" && now - channel.at < MEMORY_LIFE_MS;
  const own = channels[channelId];
  // A replay or a page of messages also brings what was said before we were asked.
  const isLater = own?.first === undefined || compareIds(own.first, id) < 0;
  // A thread that was opened from a question has the question's id, and the settings of the question's channel.
  const opener = channels[questions[channelId]?.channelId ?? ""];
  return (isLater && answersAll(own)) || answersAll(opener);
}

/** Returns the ids of the channels to read after a gap: the most recently used ones. */
export function channelsToRead({ channels }: Recollection, now: number): string[] {
  const recent = Object.keys(channels).filter((id) => now - (channels[id]?.at ?? 0) < MEMORY_LIFE_MS);
  return recent.slice(-MAX_CAUGHT_UP_CHANNELS);
}

function put<Entry extends { at: number }>(
  entries: Readonly<Record<string, Entry>>,
  id: string,
  entry: Entry,
  now: number,
): { kept: Record<string, Entry>; forgotten: string[] } {
  const { [id]: _, ...others } = entries;
  const kept: Record<string, Entry> = { ...others, [id]: entry };
  const forgotten: string[] = [];
  for (const [oldId, { at }] of Object.entries(others)) {
    if (now - at < MEMORY_LIFE_MS && Object.keys(others).length - forgotten.length < MAX_REMEMBERED) break;
    delete kept[oldId];
    forgotten.push(oldId);
  }
  return { kept, forgotten };
}

// Measures how much of the channel's transcript could be summarized; the end of each turn asks. summary-part.ts reads what is summarized.
import type { ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import { MAX_TRANSCRIPT_ROWS } from "../../src/core/limits.ts";
import { countOlder, type Fill, judgeFill, type TurnSize } from "../../src/core/transcript/compaction.ts";
import { type Message, tokensOfAll, type WindowLimits } from "../../src/core/transcript/transcript.ts";
import { readUnsummarized } from "./turn-conversation.ts";

/** Two windows: as much as two failed attempts may have left. Anything older has already fallen out of the window, and stays out. */
const PART_ROWS = 2 * MAX_TRANSCRIPT_ROWS;

const sizeOf = ({ messages }: { messages: Message[] }): TurnSize => ({
  rows: messages.length,
  tokens: tokensOfAll(messages),
});

/** Measures how much of this window is filled by messages that are not summarized. Reads what a turn's request reads. */
export const fillOfWindow = (store: ChannelStore, limits: WindowLimits, owner: string | null): Fill =>
  judgeFill(readUnsummarized(store, MAX_TRANSCRIPT_ROWS, owner).map(sizeOf), limits);

/** Counts the messages that could be summarized now, however full the window is. */
export const countSummarizable = (store: ChannelStore, limits: WindowLimits, owner: string | null): number =>
  olderTurns(store, limits, owner).flat().length;

/** Returns the turns that are old enough to be summarized, as rows, oldest first; the newest of them may still be unfinished. */
export function olderTurns(store: ChannelStore, limits: WindowLimits, owner: string | null): StoredMessage[][] {
  // The oldest rows may be the end of a turn whose question was not read.
  const turns = readUnsummarized(store, PART_ROWS, owner).filter(({ stored }) => stored[0]?.role === "user");
  return turns.slice(0, countOlder(turns.map(sizeOf), limits)).map(({ stored }) => stored);
}

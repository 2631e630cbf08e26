// How much of the channel's transcript could be summarised, which each turn's end asks; summary-part.ts reads what is summarised then.
import type { ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import { MAX_TRANSCRIPT_ROWS } from "../../src/core/limits.ts";
import { countOlder, type Fill, judgeFill, type TurnSize } from "../../src/core/transcript/compaction.ts";
import { type Message, tokensOfAll, type WindowLimits } from "../../src/core/transcript/transcript.ts";
import { readUnsummarised } from "./turn-conversation.ts";

/** Two windows: what two failed attempts may have left behind. What is older has fallen out of the window already, and stays out. */
const PART_ROWS = 2 * MAX_TRANSCRIPT_ROWS;

const sizeOf = ({ messages }: { messages: Message[] }): TurnSize => ({
  rows: messages.length,
  tokens: tokensOfAll(messages),
});

/** How much of this window is filled by what is not summarised. Reads what a turn's request reads. */
export const fillOfWindow = (store: ChannelStore, limits: WindowLimits, owner: string | null): Fill =>
  judgeFill(readUnsummarised(store, MAX_TRANSCRIPT_ROWS, owner).map(sizeOf), limits);

/** How many messages could be summarised now, whatever fills the window. */
export const countSummarisable = (store: ChannelStore, limits: WindowLimits, owner: string | null): number =>
  olderTurns(store, limits, owner).flat().length;

/** The turns that are old enough to be summarised, as rows, oldest first; the newest of them may not be over. */
export function olderTurns(store: ChannelStore, limits: WindowLimits, owner: string | null): StoredMessage[][] {
  // The oldest rows may be the end of a turn whose question was not read.
  const turns = readUnsummarised(store, PART_ROWS, owner).filter(({ stored }) => stored[0]?.role === "user");
  return turns.slice(0, countOlder(turns.map(sizeOf), limits)).map(({ stored }) => stored);
}

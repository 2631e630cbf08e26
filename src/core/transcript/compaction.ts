// Decides when a part of the conversation is summarized, and which: whole turns only, so no call is ever separated from its result. Pure.
import type { WindowLimits } from "./transcript.ts";

/** How much of a window one turn takes up. */
export interface TurnSize {
  rows: number;
  tokens: number;
}

/** The summary that a channel keeps of earlier turns; one row. */
export interface Summary {
  text: string;
  /** The first and the last message that it covers. A turn whose last message comes later is in the window. */
  fromSeq: number;
  toSeq: number;
  /** How many messages it covers. */
  messages: number;
  /** The ids of the people whose words it covers. */
  users: readonly string[];
  /** The model that wrote it, and its estimated size. */
  model: string;
  tokens: number;
  /** Epoch milliseconds. */
  at: number;
  /** It was made from words that may come from outside; missing: it was not. */
  tainted?: true;
}

/** How full the window may be before a summary is due, and before it can't wait because a turn would soon fall out. */
const DUE = 0.75;
const FULL = 0.9;
/** How many of the newest turns are left unsummarized, and the most tokens that they may have; the newest one is left in any case. */
const WHOLE_TURNS = 6;
const WHOLE_TOKENS = 12_000;

const sum = (turns: readonly TurnSize[]): TurnSize => ({
  rows: turns.reduce((rows, turn) => rows + turn.rows, 0),
  tokens: turns.reduce((tokens, turn) => tokens + turn.tokens, 0),
});

const fits = ({ rows, tokens }: TurnSize, limits: WindowLimits, share = DUE): boolean =>
  rows <= limits.rows * share && tokens <= limits.tokens * share;

/** Returns how many of the turns, oldest first, to summarize, leaving the newest ones; 0: none. */
export function countOlder(turns: readonly TurnSize[], limits: WindowLimits): number {
  const most = { ...limits, tokens: Math.min(limits.tokens, WHOLE_TOKENS / DUE) };
  let whole = Math.min(1, turns.length);
  while (whole < Math.min(WHOLE_TURNS, turns.length) && fits(sum(turns.slice(-whole - 1)), most)) whole++;
  return turns.length - whole;
}

/** How full a window is with unsummarized turns. `due`: it is time to summarize; `full`: it can't wait. */
export type Fill = "room" | "due" | "full";

/** Judges whether it is time to summarize. Not if the newest turn alone is too large: a summary would make nothing smaller. */
export function judgeFill(turns: readonly TurnSize[], limits: WindowLimits): Fill {
  const size = sum(turns);
  if (fits(size, limits) || countOlder(turns, limits) === 0) return "room";
  return fits(size, limits, FULL) ? "due" : "full";
}

/** Returns how many of the `sizes` (tokens), oldest first, fit into one request; at least one. */
export function countWithin(sizes: readonly number[], tokens: number): number {
  let left = tokens;
  const first = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  return first < 0 ? sizes.length : Math.max(1, first);
}

// When a part of the conversation is summarised, and which: whole turns only, so that no call is ever parted from its result. Pure.
import type { WindowLimits } from "./transcript.ts";

/** How much of a window one turn takes. */
export interface TurnSize {
  rows: number;
  tokens: number;
}

/** What a channel keeps of the turns that it has summarised; one row. */
export interface Summary {
  text: string;
  /** The first and the last message that are in it. A turn whose last message comes later is in the window. */
  fromSeq: number;
  toSeq: number;
  /** How many messages are in it. */
  messages: number;
  /** Ids of the people whose words are in it. */
  users: readonly string[];
  /** The model that wrote it, and its estimated size. */
  model: string;
  tokens: number;
  /** Epoch milliseconds. */
  at: number;
  /** It was made of words that may come from outside; missing: it was not. */
  tainted?: true;
}

/** What is not summarised may fill so much of the window before a summary is due, and before it can't wait: soon a turn would fall out. */
const DUE = 0.75;
const FULL = 0.9;
/** The newest turns that stay whole, and the most tokens that they may have; the newest one stays in any case. */
const WHOLE_TURNS = 6;
const WHOLE_TOKENS = 12_000;

const sum = (turns: readonly TurnSize[]): TurnSize => ({
  rows: turns.reduce((rows, turn) => rows + turn.rows, 0),
  tokens: turns.reduce((tokens, turn) => tokens + turn.tokens, 0),
});

const fits = ({ rows, tokens }: TurnSize, limits: WindowLimits, share = DUE): boolean =>
  rows <= limits.rows * share && tokens <= limits.tokens * share;

/** How many of the turns, which are ordered from the oldest, are summarised before the newest ones; 0: none. */
export function countOlder(turns: readonly TurnSize[], limits: WindowLimits): number {
  const most = { ...limits, tokens: Math.min(limits.tokens, WHOLE_TOKENS / DUE) };
  let whole = Math.min(1, turns.length);
  while (whole < Math.min(WHOLE_TURNS, turns.length) && fits(sum(turns.slice(-whole - 1)), most)) whole++;
  return turns.length - whole;
}

/** How much of a window is filled by what is not summarised; `due`: it is time to summarise; `full`: it can't wait. */
export type Fill = "room" | "due" | "full";

/** Is it time to summarise? Not where the newest turn alone is too large: nothing would become smaller. */
export function judgeFill(turns: readonly TurnSize[], limits: WindowLimits): Fill {
  const size = sum(turns);
  if (fits(size, limits) || countOlder(turns, limits) === 0) return "room";
  return fits(size, limits, FULL) ? "due" : "full";
}

/** How many of the oldest `sizes` (tokens) one request can hold; at least one. */
export function countWithin(sizes: readonly number[], tokens: number): number {
  let left = tokens;
  const first = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  return first < 0 ? sizes.length : Math.max(1, first);
}

// What a channel and its people used in one day. Stored in the lock's row, because that is written at every turn's start and end anyway.
import type { SpentBudget } from "../money/limit.ts";
import type { MaybePriced } from "../money/usage.ts";

/** Turns, tokens and money. Rows of an older program have only the first two. */
export interface Used extends MaybePriced {
  turns: number;
  /** Input and output tokens together. */
  tokens: number;
  /** Missing: not known for all these tokens. */
  inputTokens?: number;
  /** The input tokens that a provider found in its cache. */
  cachedInputTokens?: number;
}

/** The figures of one day. It is one row, so among thousands of people those who came first are dropped. */
export interface DayUsage {
  /** `2026-11-21`. */
  day: string;
  channel: Used;
  users: Readonly<Record<string, Used>>;
  /** When people who were forgotten had asked in the minute before: the limit of questions per minute still counts those. */
  asked?: Readonly<Record<string, readonly number[]>>;
}

/** What one person and the channel have used, or may use, in one day. As a limit, 0 or a missing figure means no limit. */
export interface Budgets {
  user: Used;
  channel: Used;
}

/** A limit that is nearly reached. */
export type NearBudget = Omit<SpentBudget, "of" | "per" | "resetsAt"> & { of: "user" | "channel"; used: number };

// The report of a turn's usage that a channel sends to its server's scope and to the deployment, and the sums kept there. Pure.
import type { TurnUsage } from "./usage.ts";

/** What a turn used: one report for each turn, counted once, however often it arrives. */
export interface TurnReport {
  turnId: string;
  /** Empty: no person asked for it (a summary of the conversation), so it counts for no one and is not a turn. */
  userId: string;
  /** The name of the object that keeps the conversation: the channel's id, or more where a person brought the bot along. */
  channelId: string;
  /** The server whose scope counts it; null: the deployment's own (direct messages, visits). */
  guildId: string | null;
  /** When the turn began (epoch milliseconds); it counts for that day (UTC). */
  at: number;
  /** When its channel recorded it: whoever is forgotten later is forgotten there too. Reports of an older program have none. */
  endedAt?: number;
  usage: TurnUsage;
}

/**
 * Whether this report is not of a turn but only says that the channel has data of this person: an upgrade found it, or they stopped another
 * person's turn or decided about its call. It has no usage.
 */
export const isNoTurn = ({ turnId }: Pick<TurnReport, "turnId">): boolean => turnId.startsWith("people:");

/** The sums of some turns. All are whole numbers. */
export interface UsageSum {
  turns: number;
  inputTokens: number;
  /** The input tokens that a provider found in its cache. */
  cachedTokens: number;
  outputTokens: number;
  microUsd: number;
  /** The tokens of steps whose price is not known. */
  unpricedTokens: number;
}

/** The sum of no turns. */
export const NO_USAGE: UsageSum = {
  turns: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  microUsd: 0,
  unpricedTokens: 0,
};

/** Returns the sum of one turn. */
export const sumOf = ({ usage, userId }: Pick<TurnReport, "usage" | "userId">): UsageSum => ({
  turns: userId === "" ? 0 : 1,
  inputTokens: usage.inputTokens,
  cachedTokens: usage.cachedInputTokens ?? 0,
  outputTokens: usage.outputTokens,
  microUsd: usage.microUsd ?? 0,
  unpricedTokens: usage.unpriced ?? 0,
});

/** Adds two sums. */
export const plusUsage = (one: UsageSum, other: UsageSum): UsageSum => ({
  turns: one.turns + other.turns,
  inputTokens: one.inputTokens + other.inputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  microUsd: one.microUsd + other.microUsd,
  unpricedTokens: one.unpricedTokens + other.unpricedTokens,
});

/** Returns the first day of a day's month: `2026-11-01`. */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

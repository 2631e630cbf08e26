// A turn's usage on its way from the channel to its server and to the deployment, and the sums there. Pure.
import type { TurnUsage } from "./usage.ts";

/** What a turn used, sent once for each turn and counted once, however often it arrives. */
export interface TurnReport {
  turnId: string;
  /** Empty: no person asked for it (a summary of the conversation), so it counts for no one and is no turn. */
  userId: string;
  /** The name of the object that keeps the conversation: the channel's id, or more where a person brought the bot along. */
  channelId: string;
  /** The server whose scope counts it; null: the deployment's own (direct messages, visits). */
  guildId: string | null;
  /** When the turn began; it counts for that day (UTC). Epoch milliseconds. */
  at: number;
  /** When its channel noted it: whoever is forgotten later is forgotten there too. An older program's has none. */
  endedAt?: number;
  usage: TurnUsage;
}

/**
 * Is it no turn, but says that something of this person is there: an upgrade found it, or they stopped another person's turn or decided about
 * its call? Such a report used nothing.
 */
export const isNoTurn = ({ turnId }: Pick<TurnReport, "turnId">): boolean => turnId.startsWith("people:");

/** The sums of some turns. All are whole numbers. */
export interface UsageSum {
  turns: number;
  inputTokens: number;
  /** Of the input tokens, those that a provider found in its cache. */
  cachedTokens: number;
  outputTokens: number;
  microUsd: number;
  /** The tokens of steps whose price is not known. */
  unpricedTokens: number;
}

/** No turns. */
export const NO_USAGE: UsageSum = {
  turns: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  microUsd: 0,
  unpricedTokens: 0,
};

/** One turn as a sum. */
export const sumOf = ({ usage, userId }: Pick<TurnReport, "usage" | "userId">): UsageSum => ({
  turns: userId === "" ? 0 : 1,
  inputTokens: usage.inputTokens,
  cachedTokens: usage.cachedInputTokens ?? 0,
  outputTokens: usage.outputTokens,
  microUsd: usage.microUsd ?? 0,
  unpricedTokens: usage.unpriced ?? 0,
});

/** Both together. */
export const plusUsage = (one: UsageSum, other: UsageSum): UsageSum => ({
  turns: one.turns + other.turns,
  inputTokens: one.inputTokens + other.inputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  microUsd: one.microUsd + other.microUsd,
  unpricedTokens: one.unpricedTokens + other.unpricedTokens,
});

/** The first day of a day's month: `2026-11-01`. */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

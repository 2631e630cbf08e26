// Leases: the part of a limit across channels that a scope has lent to a turn, which is how much it may spend before it must ask again.
// lend.ts decides how much a scope lends. Pure.

/** Tokens and micro-dollars. */
export interface Amount {
  tokens: number;
  microUsd: number;
}

/** How much a turn may have spent in total before it must ask again; null: no limit applies. */
export interface Allowance {
  tokens: number | null;
  microUsd: number | null;
}

/** What one call of a long conversation uses, as assumed while nothing is known about it. */
export const CALL_ESTIMATE = { inputTokens: 8000, outputTokens: 1000 };

/** Returns the day (UTC) of a time: `2026-11-21`. Its first seven characters are the month. */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Returns when the day or the month (UTC) ends. */
export function endOf(per: "day" | "month", now: number): number {
  const at = new Date(now);
  const isMonth = per === "month";
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + (isMonth ? 1 : 0), isMonth ? 1 : at.getUTCDate() + 1);
}

/** Whether a turn that has spent this much may make one more call without asking again. */
export const coversCall = ({ tokens, microUsd }: Allowance, spent: Amount, estimate: Amount): boolean =>
  (tokens === null || spent.tokens + estimate.tokens <= tokens) &&
  (microUsd === null || spent.microUsd + estimate.microUsd <= microUsd);

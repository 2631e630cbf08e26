// What a scope has lent to a turn of a limit across channels: how much the turn may spend before it has to ask again. How much a scope
// lends is in lend.ts. Pure.

/** Tokens and micro-dollars. */
export interface Amount {
  tokens: number;
  microUsd: number;
}

/** How much a turn may have spent in all before it has to ask again; null: no limit applies. */
export interface Allowance {
  tokens: number | null;
  microUsd: number | null;
}

/** What one call of a long conversation uses, before anything is known of it. */
export const CALL_ESTIMATE = { inputTokens: 8000, outputTokens: 1000 };

/** The day (UTC) that a time belongs to: `2026-11-21`. Its first seven characters are the month. */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** When the day or the month (UTC) ends. */
export function endOf(per: "day" | "month", now: number): number {
  const at = new Date(now);
  const isMonth = per === "month";
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + (isMonth ? 1 : 0), isMonth ? 1 : at.getUTCDate() + 1);
}

/** May a turn that has spent this much make one more call without asking again? */
export const coversCall = ({ tokens, microUsd }: Allowance, spent: Amount, estimate: Amount): boolean =>
  (tokens === null || spent.tokens + estimate.tokens <= tokens) &&
  (microUsd === null || spent.microUsd + estimate.microUsd <= microUsd);

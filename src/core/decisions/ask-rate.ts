// Limits how often one person may ask in a channel. Pure.

/** The limit's sliding window. */
export const RATE_WINDOW_MS = 60_000;

/**
 * Returns when this person may ask again; null: now. `asked` are the times of their questions in the last minute, newest first, in epoch
 * milliseconds. A limit of 0 means no limit.
 */
export function mayAskAgainAt(asked: readonly number[], limit: number, now: number): number | null {
  // Times later than now were stored before the clock was set back.
  const oldest = limit > 0 ? asked.filter((at) => at <= now)[limit - 1] : undefined;
  if (oldest === undefined) return null;
  const again = oldest + RATE_WINDOW_MS;
  return again > now ? again : null;
}

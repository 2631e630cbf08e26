// Limits how often the same refusal is logged: anyone can send requests to a public address, and each would add a line. Pure.

/** The same refusal is logged again only after this time. */
export const REFUSAL_LOG_GAP_MS = 60_000;

/** For each reason, when it was last logged and how often it has happened since. The reasons are our own, so there are only a few. */
export type LoggedRefusals = Readonly<Record<string, { at: number; unlogged: number }>>;

/** Counts one refusal. `line` is null if its reason was logged within the last minute; otherwise it is what to log with it. */
export function countRefusal(
  logged: LoggedRefusals,
  reason: string,
  now: number,
): { logged: LoggedRefusals; line: { unlogged: number } | null } {
  const last = logged[reason];
  // A clock that was set back must not silence the log.
  const isRecent = last !== undefined && now >= last.at && now - last.at < REFUSAL_LOG_GAP_MS;
  if (!isRecent)
    return { logged: { ...logged, [reason]: { at: now, unlogged: 0 } }, line: { unlogged: last?.unlogged ?? 0 } };
  return { logged: { ...logged, [reason]: { at: last.at, unlogged: last.unlogged + 1 } }, line: null };
}

// Stores what the channel remembers outside of turns, in the object's own SQLite: who was notified of something privately, and which
// questions were deleted. Marks are kept for a day, up to a maximum number. Also stores a thread's parent, which never changes.
import { openSql } from "./row-size.ts";
import { numberOrNull, type SqliteStorage, textOrNull } from "./sqlite-storage.ts";

/** Times by key, in epoch milliseconds. */
export interface Marks {
  /** When this was noted; null if never, or if it was dropped since. */
  at(key: string): number | null;
  /** Notes a time, and drops marks that are too old or too many. Writes one row. */
  put(key: string, at: number): void;
  /** Until when any mark is kept; 0 if there is none. */
  keptUntil(): number;
  /** Deletes what was noted about a person. */
  forgetPerson(userId: string): void;
  /** Deletes everything that is too old at this time. */
  dropOld(now: number): void;
  /** The channel that this thread belongs to; null if unknown. */
  parent(): string | null;
  saveParent(channelId: string): void;
}

/** The key of a question that was deleted. */
export const deletionMark = (messageId: string): string => `deleted:${messageId}`;

/** Whether this question was deleted. */
export const isDeleted = (marks: Pick<Marks, "at">, messageId: string): boolean =>
  marks.at(deletionMark(messageId)) !== null;

const LIFE_MS = 86_400_000;
const MAX_MARKS = 500;

/** Opens the store. The database's schema must be up to date. */
export function openMarks(storage: Pick<SqliteStorage, "sql">): Marks {
  const run = openSql(storage);
  const dropOld = (now: number) => void run("DELETE FROM marks WHERE at <= ?", now - LIFE_MS);
  return {
    at: (key) => numberOrNull(run("SELECT at FROM marks WHERE key = ?", key)[0]?.at),
    put(key, at) {
      dropOld(at);
      run("INSERT INTO marks VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET at = excluded.at", key, at);
      run("DELETE FROM marks WHERE key IN (SELECT key FROM marks ORDER BY at DESC LIMIT -1 OFFSET ?)", MAX_MARKS);
    },
    keptUntil() {
      const at = numberOrNull(run("SELECT max(at) AS at FROM marks")[0]?.at);
      return at === null ? 0 : at + LIFE_MS;
    },
    forgetPerson: (userId) => void run("DELETE FROM marks WHERE key LIKE '%:' || ?", userId),
    dropOld,
    parent: () => textOrNull(run("SELECT channel_id FROM thread_parent")[0]?.channel_id),
    saveParent: (channelId) =>
      void run(
        "INSERT INTO thread_parent VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET channel_id = excluded.channel_id",
        channelId,
      ),
  };
}

// What the channel remembers of messages that are no turns, in the object's own SQLite: whom it has told something in private, and which
// questions were deleted. Each is kept for a day, and a bounded number of them. Beside them the parent of a thread, which never changes.
import { openSql } from "./row-size.ts";
import { numberOrNull, type SqliteStorage, textOrNull } from "./sqlite-storage.ts";

/** Times by key, in epoch milliseconds. */
export interface Marks {
  /** When this was noted; null: never, or it is forgotten. */
  at(key: string): number | null;
  /** Notes it, and forgets what is too old or too much. One row. */
  put(key: string, at: number): void;
  /** Until when anything is kept; 0 for nothing. */
  keptUntil(): number;
  /** Forgets what was noted about a person. */
  forgetPerson(userId: string): void;
  /** Forgets everything that is too old at this time. */
  dropOld(now: number): void;
  /** The channel that this thread belongs to; null: not known. */
  parent(): string | null;
  saveParent(channelId: string): void;
}

/** The key of a question that was deleted. */
export const deletionMark = (messageId: string): string => `deleted:${messageId}`;

/** Was this question deleted? */
export const isDeleted = (marks: Pick<Marks, "at">, messageId: string): boolean =>
  marks.at(deletionMark(messageId)) !== null;

const LIFE_MS = 86_400_000;
const MAX_MARKS = 500;

/** Opens the marks. The database's schema must be up to date. */
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

// What a scope knows of single people, by their own wish: who wants to be left out of what is overheard. The schema is the scope's.
import { withRowLimit } from "../store/row-size.ts";
import type { SqliteStorage } from "../store/sqlite-storage.ts";

/** The most people that can be left out: every copy of the scope carries the list. */
export const MAX_LEFT_OUT = 1000;

/** The part of a scope's storage. Synchronous; each method is one statement. */
export interface PeopleStore {
  /** The ids, in the order in which they asked for it. */
  leftOut(): string[];
  /** False: the list is full. Repeating it changes nothing. */
  leaveOut(userId: string, at: number): boolean;
  takeIn(userId: string): void;
}

/** Opens it. The database's schema must be up to date. */
export function openPeopleStore(storage: Pick<SqliteStorage, "sql">): PeopleStore {
  const sql = withRowLimit(storage);
  const leftOut = () =>
    sql
      .exec("SELECT user_id FROM left_out ORDER BY at, user_id")
      .toArray()
      .map((row) => String(row.user_id));
  return {
    leftOut,
    leaveOut(userId, at) {
      const known = leftOut();
      if (known.includes(userId)) return true;
      if (known.length >= MAX_LEFT_OUT) return false;
      sql.exec("INSERT INTO left_out VALUES (?, ?)", userId, at);
      return true;
    },
    takeIn: (userId) => void sql.exec("DELETE FROM left_out WHERE user_id = ?", userId),
  };
}

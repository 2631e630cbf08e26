// Stores the channel's long-term memories with their full-text index, and its short-term notes, in the object's own SQLite.
import { buildMatch, searchable } from "../../src/core/transcript/search-words.ts";
import type { Memories, Memory, Notes } from "../../src/toolkit/define/tool-services.ts";
import { openSql } from "./row-size.ts";
import { numberOrNull, type Row, type SqliteStorage } from "./sqlite-storage.ts";

/** The memories, with methods that no tool may call. */
export interface MemoryStore extends Memories {
  /** The memories that this person gave, the oldest first. */
  by(userId: string): Memory[];
  /** Deletes the memories that this person gave; returns how many. One transaction. */
  removeBy(userId: string): number;
}

/** Merges the index. A deleted row's words stay in it until then, and they must be forgotten at once. */
const MERGE = "INSERT INTO memory_words (memory_words) VALUES ('optimize')";

/** Opens the long-term memory. The database's schema must be up to date. */
export function openMemories(storage: SqliteStorage): MemoryStore {
  const run = openSql(storage);
  return {
    count: () => Number(run("SELECT count(*) AS n FROM memories")[0]?.n),
    add({ text, userId, at, origin }) {
      const known = numberOrNull(run("SELECT number FROM memories WHERE text = ?", text)[0]?.number);
      // A turn that has read no strangers' words now states it, so from now on it counts as a person's wish.
      if (known !== null && origin !== "untrusted")
        run("UPDATE memories SET origin = NULL WHERE number = ? AND origin IS NOT NULL", known);
      if (known !== null) return known;
      return storage.transactionSync(() => {
        const insert = "INSERT INTO memories (text, user_id, at, origin) VALUES (?, ?, ?, ?) RETURNING number";
        const proposed = origin === "untrusted" ? origin : null;
        const number = Number(run(insert, text, userId, at, proposed)[0]?.number);
        run("INSERT INTO memory_words (rowid, words) VALUES (?, ?)", number, searchable(text));
        return number;
      });
    },
    find(query, limit) {
      const match = buildMatch(query);
      const rows =
        match === null
          ? run("SELECT * FROM memories ORDER BY number DESC LIMIT ?", limit)
          : run(
              `SELECT memories.* FROM memory_words JOIN memories ON number = memory_words.rowid
               WHERE memory_words MATCH ? ORDER BY bm25(memory_words), number DESC LIMIT ?`,
              match,
              limit,
            );
      return rows.map(readMemory);
    },
    remove: (number) =>
      storage.transactionSync(() => {
        run("DELETE FROM memory_words WHERE rowid = ?", number);
        run(MERGE);
        return run("DELETE FROM memories WHERE number = ? RETURNING number", number).length > 0;
      }),
    by: (userId) => run("SELECT * FROM memories WHERE user_id = ? ORDER BY number", userId).map(readMemory),
    removeBy: (userId) =>
      storage.transactionSync(() => {
        run("DELETE FROM memory_words WHERE rowid IN (SELECT number FROM memories WHERE user_id = ?)", userId);
        run(MERGE);
        return run("DELETE FROM memories WHERE user_id = ? RETURNING number", userId).length;
      }),
  };
}

/** Opens the notes. The database's schema must be up to date. */
export function openNotes(storage: Pick<SqliteStorage, "sql">): Notes {
  const run = openSql(storage);
  return {
    read: () => String(run("SELECT text FROM notes")[0]?.text ?? ""),
    areTainted: () => Number(run("SELECT tainted FROM notes")[0]?.tainted ?? 0) === 1,
    write: (text, areTainted = false) =>
      void run(
        `INSERT INTO notes (id, text, tainted) VALUES (1, ?, ?)
         ON CONFLICT (id) DO UPDATE SET text = excluded.text, tainted = excluded.tainted`,
        text,
        Number(areTainted),
      ),
  };
}

const readMemory = (row: Row): Memory => ({
  number: Number(row.number),
  text: String(row.text),
  userId: String(row.user_id),
  at: Number(row.at),
  ...(row.origin === "untrusted" && { origin: row.origin }),
});

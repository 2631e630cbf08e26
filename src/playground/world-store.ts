// Keeps the local world in the storage of its object: records by key, in order. Writes only what has changed.
import type { Records } from "./discord/record.ts";

/** The part of an object's storage that this needs. */
export interface RecordStorage {
  sql: { exec(query: string, ...values: string[]): { toArray(): unknown[] } };
  transactionSync<Result>(work: () => Result): Result;
}

/** The stored records. */
export interface WorldStore {
  read(): Records;
  /** Replaces all records, in one transaction. May run twice. */
  write(records: Records): void;
}

/** Opens the store. The storage may be new. */
export function openWorldStore({ sql, transactionSync }: RecordStorage): WorldStore {
  sql.exec("CREATE TABLE IF NOT EXISTS records (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL)");
  const rows = sql.exec("SELECT key, value FROM records ORDER BY n").toArray() as { key: string; value: string }[];
  let kept: Records = new Map(rows.map(({ key, value }) => [key, value]));
  return {
    read: () => kept,
    write(records) {
      transactionSync(() => {
        for (const key of kept.keys()) if (!records.has(key)) sql.exec("DELETE FROM records WHERE key = ?", key);
        for (const [key, value] of records) {
          if (kept.get(key) === value) continue;
          // A changed record keeps its place.
          const upsert =
            "INSERT INTO records (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
          sql.exec(upsert, key, value);
        }
      });
      kept = records;
    },
  };
}

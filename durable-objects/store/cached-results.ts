// The results of read-only tools that outlive the object's memory (cache scope `persistent`), in the object's own SQLite.
import { openSql } from "./row-size.ts";
import type { SqliteStorage } from "./sqlite-storage.ts";

/** JSON text of a result, and when it is too old; epoch milliseconds. */
interface CachedResult {
  json: string;
  expiresAt: number | null;
}

/** Results by the key of their call; an expired one may come back. */
export interface CachedResults {
  get(key: string): CachedResult | undefined;
  /** Also deletes expired results, and the ones that end first when there are too many. */
  set(key: string, result: CachedResult): void;
  /** Deletes expired results. */
  sweep(): void;
}

/** The most results that are kept; each may have 64 KiB. */
export const MAX_CACHED_RESULTS = 200;

/** Opens the results. The database's schema must be up to date. */
export function openCachedResults(
  storage: Pick<SqliteStorage, "sql" | "transactionSync">,
  clock: () => number,
): CachedResults {
  const run = openSql(storage);
  const sweep = () => void run("DELETE FROM cached_results WHERE expires_at <= ?", clock());
  return {
    sweep,
    get(key) {
      const row = run("SELECT json, expires_at FROM cached_results WHERE key = ?", key)[0];
      return row && { json: String(row.json), expiresAt: Number(row.expires_at) };
    },
    set(key, { json, expiresAt }) {
      // A tool without an end is refused at registration.
      if (expiresAt === null) return;
      storage.transactionSync(() => {
        sweep();
        run(
          `INSERT INTO cached_results VALUES (?, ?, ?)
           ON CONFLICT (key) DO UPDATE SET json = excluded.json, expires_at = excluded.expires_at`,
          key,
          json,
          expiresAt,
        );
        run(
          `DELETE FROM cached_results WHERE key IN (
             SELECT key FROM cached_results ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
          MAX_CACHED_RESULTS,
        );
      });
    },
  };
}

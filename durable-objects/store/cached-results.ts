// Stores the results of read-only tools that outlive the object's memory (cache scope `persistent`), in the object's own SQLite.
import { openSql } from "./row-size.ts";
import type { SqliteStorage } from "./sqlite-storage.ts";

/** A result as JSON text, and when it expires (epoch milliseconds). */
interface CachedResult {
  json: string;
  expiresAt: number | null;
}

/** Results by the key of their call. `get` may return an expired one. */
export interface CachedResults {
  get(key: string): CachedResult | undefined;
  /** Also deletes expired results and, if there are too many, those that expire first. */
  set(key: string, result: CachedResult): void;
  /** Deletes expired results. */
  sweep(): void;
}

/** The most results that are kept. Each may have 64 KiB. */
export const MAX_CACHED_RESULTS = 200;

/** Opens the store. The database's schema must be up to date. */
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
      // Doesn't happen: registration refuses a tool whose results never expire.
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

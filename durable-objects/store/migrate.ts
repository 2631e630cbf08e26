// How the database of an object comes up to date: a list of steps that only grows.
import type { SqliteStorage } from "./sqlite-storage.ts";

/**
 * Runs the steps that this database lacks, in one transaction; step n brings it from version n to the next. Throws when the data is newer
 * than the program.
 */
export function migrateBy(steps: readonly string[], storage: SqliteStorage): void {
  storage.transactionSync(() => {
    storage.sql.exec("CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL)");
    const version = Number(storage.sql.exec("SELECT version FROM schema").toArray()[0]?.version ?? 0);
    if (version > steps.length)
      throw new Error(
        `the stored data has version ${version}, this program knows ${steps.length}: deploy the newer one`,
      );
    for (const step of steps.slice(version)) storage.sql.exec(step);
    if (version === steps.length) return;
    storage.sql.exec(version === 0 ? "INSERT INTO schema VALUES (?)" : "UPDATE schema SET version = ?", steps.length);
  });
}

// Brings the database of an object up to date, by a list of steps that only grows.
import type { SqliteStorage } from "./sqlite-storage.ts";

/**
 * Runs the steps that this database has not had yet, in one transaction; step n brings it from version n to the next. `oldestReader`: how many steps
 * the oldest program knows that can work with the data afterwards, so that a deploy can be rolled back. Throws if the data is newer than the
 * program, and the newer program has not said that this one can work with it.
 */
export function migrateBy(steps: readonly string[], storage: SqliteStorage, oldestReader = steps.length): void {
  storage.transactionSync(() => {
    storage.sql.exec("CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL)");
    const [row] = storage.sql.exec("SELECT * FROM schema").toArray();
    const version = Number(row?.version ?? 0);
    if (version > steps.length && Number(row?.readable_from ?? version) > steps.length)
      throw new Error(
        `the stored data has version ${version}, this program knows ${steps.length}: deploy the newer one`,
      );
    if (version >= steps.length) return;
    for (const step of steps.slice(version)) storage.sql.exec(step);
    storage.sql.exec(version === 0 ? "INSERT INTO schema VALUES (?)" : "UPDATE schema SET version = ?", steps.length);
    const isNamed = row?.readable_from !== undefined;
    if (!isNamed && oldestReader === steps.length) return;
    if (!isNamed) storage.sql.exec("ALTER TABLE schema ADD COLUMN readable_from INTEGER");
    storage.sql.exec("UPDATE schema SET readable_from = ?", oldestReader);
  });
}

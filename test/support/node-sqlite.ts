// An object's storage on Node's own SQLite, for tests that need its SQL but not the runtime.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { SqliteStorage, SqlValue } from "../../durable-objects/store/sqlite-storage.ts";

/** Makes a database in memory, with the part of the storage's interface that the stores use. */
export function nodeSqlite(): SqliteStorage & { deleteAll(): Promise<void> } {
  let db = new DatabaseSync(":memory:");
  // To prepare a statement takes longer than to run it, and the product runs the same ones again and again.
  let prepared = new Map<string, StatementSync>();
  const prepare = (query: string): StatementSync => {
    const statement = prepared.get(query) ?? db.prepare(query);
    prepared.set(query, statement);
    return statement;
  };
  const exec = (query: string, ...given: SqlValue[]) => {
    const values = given.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
    const isScript = /;\s*\S/.test(query);
    if (isScript) db.exec(query);
    const rows = isScript ? [] : (prepare(query).all(...(values as string[])) as Record<string, SqlValue>[]);
    return { toArray: () => rows, rowsWritten: 0 };
  };
  return {
    sql: { exec },
    transactionSync(work) {
      db.exec("BEGIN");
      try {
        const result = work();
        db.exec("COMMIT");
        return result;
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      }
    },
    // At once, as Cloudflare does.
    async deleteAll() {
      db = new DatabaseSync(":memory:");
      prepared = new Map();
    },
  };
}

// An object's storage on Node's own SQLite, for tests that need its SQL but not the runtime.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { SqliteStorage, SqlValue } from "../../durable-objects/store/sqlite-storage.ts";

/** A storage over a database in memory. */
export type NodeStorage = SqliteStorage & { deleteAll(): Promise<void> };

/** Databases with only a schema, by the function that made it. Copying one is faster than making it. */
const untouched = new WeakMap<(storage: SqliteStorage) => void, Uint8Array>();

/** Makes a database in memory to which this function has already applied the schema. */
export function migratedSqlite(migrate: (storage: SqliteStorage) => void): NodeStorage {
  const known = untouched.get(migrate);
  if (known) return storageOf(opened(known));
  const db = opened();
  migrate(storageOf(db));
  untouched.set(migrate, db.serialize());
  return storageOf(db);
}

/** Makes an empty database in memory, with the part of the storage's interface that the stores use. */
export const nodeSqlite = (): NodeStorage => storageOf(opened());

function opened(content?: Uint8Array): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  if (content) db.deserialize(content);
  return db;
}

function storageOf(first: DatabaseSync): NodeStorage {
  let db = first;
  // Preparing a statement takes longer than running it, and the product runs the same ones again and again.
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
    // Runs at once, as on Cloudflare.
    async deleteAll() {
      db = opened();
      prepared = new Map();
    },
  };
}

// The storage of the gateway's object: the session's row, the outbox, and what is remembered of questions and channels. Each method
// writes one row for each thing that it is given.
import type { OutboxRow, SavedState } from "../../src/gateway/gateway-state.ts";
import type { AskedQuestion, KnownChannel, Recollection } from "../../src/gateway/recollection.ts";
import type { SqliteStorage, SqlValue } from "../store/sqlite-storage.ts";

/** What a life begins with; the oldest first. */
export interface Stored {
  row: string | null;
  outbox: OutboxRow[];
  known: Recollection;
}

/** The storage. Synchronous; what is written in one tick is stored together, with the alarm that is set in it (Cloudflare). */
export interface GatewayStore {
  load(): Stored;
  /** All or nothing. Not nested. */
  transaction(work: () => void): void;
  save(saved: SavedState): void;
  putOutbox(row: OutboxRow): void;
  dropOutbox(key: string): void;
  rememberQuestion(id: string, question: AskedQuestion): void;
  rememberChannel(id: string, channel: KnownChannel): void;
  forget(questions: readonly string[], channels: readonly string[]): void;
  /** Rows written since the store was opened; Cloudflare bills by this unit. */
  rowsWritten(): number;
}

/** Each entry brings the database from the version equal to its index to the next one. The list only grows. */
const migrations: readonly string[] = [
  `CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL);
   CREATE TABLE outbox (place INTEGER PRIMARY KEY, key TEXT NOT NULL, record TEXT NOT NULL);
   CREATE TABLE questions (id TEXT PRIMARY KEY, at INTEGER NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE channels (id TEXT PRIMARY KEY, at INTEGER NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;`,
];

/** Opens the database and brings its schema up to date. Throws when the data is newer than the program. */
export function openGatewayStore(storage: SqliteStorage): GatewayStore {
  migrate(storage);
  let written = 0;
  const run = (query: string, ...values: SqlValue[]) => {
    const cursor = storage.sql.exec(query, ...values);
    const rows = cursor.toArray();
    written += cursor.rowsWritten;
    return rows;
  };
  const records = <Entry>(table: "questions" | "channels"): Record<string, Entry> =>
    Object.fromEntries(
      run(`SELECT id, record FROM ${table} ORDER BY at, id`).map(({ id, record }) => [id, JSON.parse(String(record))]),
    );
  const remember = (table: "questions" | "channels", id: string, entry: { at: number }) =>
    void run(
      `INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at, record = excluded.record`,
      id,
      entry.at,
      JSON.stringify(entry),
    );
  const forget = (table: "questions" | "channels", ids: readonly string[]) => {
    for (const id of ids) run(`DELETE FROM ${table} WHERE id = ?`, id);
  };
  return {
    load: () => ({
      row: run("SELECT record FROM session").map(({ record }) => String(record))[0] ?? null,
      outbox: run("SELECT record FROM outbox ORDER BY place").map(
        ({ record }) => JSON.parse(String(record)) as OutboxRow,
      ),
      known: { questions: records("questions"), channels: records("channels") },
    }),
    transaction: (work) => storage.transactionSync(work),
    save: (saved) =>
      void run(
        "INSERT INTO session VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
        JSON.stringify(saved),
      ),
    putOutbox: (row) => void run("INSERT INTO outbox (key, record) VALUES (?, ?)", row.key, JSON.stringify(row)),
    dropOutbox: (key) => void run("DELETE FROM outbox WHERE key = ?", key),
    rememberQuestion: (id, question) => remember("questions", id, question),
    rememberChannel: (id, channel) => remember("channels", id, channel),
    forget: (questions, channels) => {
      forget("questions", questions);
      forget("channels", channels);
    },
    rowsWritten: () => written,
  };
}

function migrate(storage: SqliteStorage): void {
  storage.transactionSync(() => {
    storage.sql.exec("CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL)");
    const version = Number(storage.sql.exec("SELECT version FROM schema").toArray()[0]?.version ?? 0);
    if (version > migrations.length)
      throw new Error(
        `the stored data has version ${version}, this program knows ${migrations.length}: deploy the newer one`,
      );
    for (const step of migrations.slice(version)) storage.sql.exec(step);
    if (version === migrations.length) return;
    storage.sql.exec(
      version === 0 ? "INSERT INTO schema VALUES (?)" : "UPDATE schema SET version = ?",
      migrations.length,
    );
  });
}

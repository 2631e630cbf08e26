// The storage of the gateway's object: the session's row, the outbox, and what is remembered of questions and channels. An action
// writes one row for each thing that it names.
import type { OutboxRow } from "../../src/gateway/gateway-state.ts";
import type { GatewayAction } from "../../src/gateway/inputs-and-actions.ts";
import type { Recollection } from "../../src/gateway/recollection.ts";
import { migrateBy } from "../store/migrate.ts";
import { putOnlyRecord, readJson, type SqliteStorage, type SqlValue, textOrNull } from "../store/sqlite-storage.ts";

/** What a life begins with. Lists are oldest first. */
export interface Stored {
  row: string | null;
  outbox: OutboxRow[];
  known: Recollection;
}

/** The storage. Synchronous. */
export interface GatewayStore {
  load(): Stored;
  /**
   * Stores those of a step's actions that have rows, all or nothing: an event must not count as received while its outbox row is missing.
   * Everything written in one tick is stored together with the alarm that is set in it (Cloudflare).
   */
  keep(actions: readonly GatewayAction[]): void;
  /** Rows written since the store was opened; Cloudflare bills by this unit. */
  rowsWritten(): number;
}

type Writes = {
  [Kind in "save" | "outbox_put" | "outbox_drop" | "remember_question" | "remember_channel" | "forget"]: (
    action: Extract<GatewayAction, { kind: Kind }>,
  ) => void;
};

/** Each entry upgrades the database from the version equal to its index to the next one. The list only grows. */
const migrations: readonly string[] = [
  `CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL);
   CREATE TABLE outbox (place INTEGER PRIMARY KEY, key TEXT NOT NULL, record TEXT NOT NULL);
   CREATE TABLE questions (id TEXT PRIMARY KEY, at INTEGER NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE channels (id TEXT PRIMARY KEY, at INTEGER NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;`,
];

/** Opens the database and brings its schema up to date. Throws when the data is newer than the program. */
export function openGatewayStore(storage: SqliteStorage): GatewayStore {
  migrateBy(migrations, storage);
  let written = 0;
  const run = (query: string, ...values: SqlValue[]) => {
    const cursor = storage.sql.exec(query, ...values);
    const rows = cursor.toArray();
    written += cursor.rowsWritten;
    return rows;
  };
  const records = <Entry>(table: "questions" | "channels"): Record<string, Entry> =>
    Object.fromEntries(
      run(`SELECT id, record FROM ${table} ORDER BY at, id`).map(({ id, record }) => [id, readJson<Entry>(record)]),
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
  const writes: Writes = {
    save: ({ saved }) => putOnlyRecord(run, "session", saved),
    outbox_put: ({ row }) => void run("INSERT INTO outbox (key, record) VALUES (?, ?)", row.key, JSON.stringify(row)),
    outbox_drop: ({ key }) => void run("DELETE FROM outbox WHERE key = ?", key),
    remember_question: ({ id, question }) => remember("questions", id, question),
    remember_channel: ({ id, channel }) => remember("channels", id, channel),
    forget: ({ questions, channels }) => {
      forget("questions", questions);
      forget("channels", channels);
    },
  };
  return {
    load: () => ({
      row: textOrNull(run("SELECT record FROM session")[0]?.record),
      outbox: run("SELECT record FROM outbox ORDER BY place").map(({ record }) => readJson<OutboxRow>(record)),
      known: { questions: records("questions"), channels: records("channels") },
    }),
    keep(actions) {
      const stored = actions.filter(({ kind }) => kind in writes);
      if (stored.length === 0) return;
      storage.transactionSync(() => {
        for (const action of stored) writes[action.kind as keyof Writes](action as never);
      });
    },
    rowsWritten: () => written,
  };
}

// The storage of a scope: facts, known servers, blocked people, settings. The deployment and all servers share one schema; each uses its part.
import type { StoredSettings } from "../../src/channel/settings.ts";
import { migrateBy } from "../store/migrate.ts";
import { openSql } from "../store/row-size.ts";
import { createSettings, SETTING_CHANGES_TABLE } from "../store/setting-history.ts";
import { jsonOrNull, numberOrNull, type Row, type SqliteStorage, textOrNull } from "../store/sqlite-storage.ts";

/** The most people that can be blocked: every copy of the scope carries the list. */
export const MAX_BLOCKED = 1000;
/** The most servers that are remembered although they were neither claimed nor denied. Beyond that the oldest of them are dropped. */
export const MAX_SERVERS = 5000;

/** A stored server; times are epoch milliseconds. */
export interface StoredServer {
  guildId: string;
  since: number;
  claimedAt: number | null;
  denied: string | null;
}

/** A scope's storage. Synchronous; each method is one statement or one transaction. */
export interface ScopeStore {
  fact<Value>(key: string): Value | null;
  putFact(key: string, value: unknown): void;
  server(guildId: string): StoredServer | null;
  servers(): StoredServer[];
  putServer(server: StoredServer): void;
  blocked(): string[];
  /** False if the person was blocked already; `full` if the list has no room. */
  block(userId: string, at: number): boolean | "full";
  unblock(userId: string): boolean;
  /** Commits all of `work` or nothing. Must not be nested. */
  transaction<Result>(work: () => Result): Result;
  settings(): StoredSettings;
  /** Null clears the key. */
  putSetting(key: string, value: string | null): void;
}

/** Each entry brings the database from the version equal to its index to the next one. The list only grows. */
const migrations: readonly string[] = [
  `CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE servers (
     guild_id TEXT PRIMARY KEY,
     since INTEGER NOT NULL,
     claimed_at INTEGER,
     denied TEXT
   ) WITHOUT ROWID;
   CREATE TABLE blocked (user_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE usage (
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     day TEXT NOT NULL,
     turns INTEGER NOT NULL,
     input INTEGER NOT NULL,
     cached INTEGER NOT NULL,
     output INTEGER NOT NULL,
     micro_usd INTEGER NOT NULL,
     unpriced INTEGER NOT NULL,
     PRIMARY KEY (kind, id, day)
   ) WITHOUT ROWID;
   CREATE TABLE reported (turn_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE leases (
     turn_id TEXT PRIMARY KEY,
     user_id TEXT NOT NULL,
     tokens INTEGER NOT NULL,
     micro_usd INTEGER NOT NULL,
     until INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE outbox (turn_id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;`,
  `CREATE TABLE used_in (
     user_id TEXT NOT NULL,
     channel_id TEXT NOT NULL,
     day TEXT NOT NULL,
     PRIMARY KEY (user_id, channel_id)
   ) WITHOUT ROWID;
   CREATE TABLE to_forget (
     user_id TEXT NOT NULL,
     channel_id TEXT NOT NULL,
     at INTEGER NOT NULL,
     tries INTEGER NOT NULL,
     PRIMARY KEY (user_id, channel_id)
   ) WITHOUT ROWID;`,
  `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   ${SETTING_CHANGES_TABLE}`,
  "CREATE TABLE left_out (user_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;",
  `CREATE TABLE own_facts (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     user_id TEXT NOT NULL,
     text TEXT NOT NULL,
     at INTEGER NOT NULL,
     origin TEXT
   );
   CREATE INDEX own_facts_by_person ON own_facts (user_id);`,
  "CREATE TABLE forgotten (user_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;",
];

/** Opens the database and brings its schema up to date. Throws if the data is newer than the program. */
export function openScopeStore(storage: SqliteStorage): ScopeStore {
  migrateBy(migrations, storage);
  const run = openSql(storage);
  const isBlocked = (userId: string) => run("SELECT 1 FROM blocked WHERE user_id = ?", userId).length > 0;
  return {
    fact: (key) => jsonOrNull(run("SELECT value FROM facts WHERE key = ?", key)[0]?.value),
    putFact: (key, value) =>
      void run(
        "INSERT INTO facts VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        key,
        JSON.stringify(value),
      ),
    server: (guildId) => run("SELECT * FROM servers WHERE guild_id = ?", guildId).map(readServer)[0] ?? null,
    servers: () => run("SELECT * FROM servers ORDER BY since DESC, guild_id").map(readServer),
    putServer: ({ guildId, since, claimedAt, denied }) =>
      storage.transactionSync(() => {
        run(
          `INSERT INTO servers VALUES (?, ?, ?, ?)
           ON CONFLICT (guild_id) DO UPDATE SET claimed_at = excluded.claimed_at, denied = excluded.denied`,
          guildId,
          since,
          claimedAt,
          denied,
        );
        run(
          `DELETE FROM servers WHERE guild_id IN (
             SELECT guild_id FROM servers WHERE claimed_at IS NULL AND denied IS NULL
             ORDER BY since DESC LIMIT -1 OFFSET ?)`,
          MAX_SERVERS,
        );
      }),
    blocked: () => run("SELECT user_id FROM blocked ORDER BY at, user_id").map((row) => String(row.user_id)),
    block(userId, at) {
      if (isBlocked(userId)) return false;
      if (Number(run("SELECT count(*) AS n FROM blocked")[0]?.n) >= MAX_BLOCKED) return "full";
      run("INSERT INTO blocked VALUES (?, ?)", userId, at);
      return true;
    },
    unblock: (userId) => run("DELETE FROM blocked WHERE user_id = ? RETURNING user_id", userId).length > 0,
    transaction: (work) => storage.transactionSync(work),
    ...createSettings(run),
  };
}

const readServer = (row: Row): StoredServer => ({
  guildId: String(row.guild_id),
  since: Number(row.since),
  claimedAt: numberOrNull(row.claimed_at),
  denied: textOrNull(row.denied),
});

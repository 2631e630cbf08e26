// Stores what turns used in a scope: sums by day, which turns they include, the leases of running turns, and the reports that the deployment
// has not taken yet. The schema is in scope-store.ts.
import type { LatelyUsed } from "../../src/core/access/inspection-rpc.ts";
import type { Amount } from "../../src/core/money/lease.ts";
import type { TurnReport, UsageSum } from "../../src/core/money/report.ts";
import { openSql } from "../store/row-size.ts";
import { type Row, readJson, type SqliteStorage, textOrNull } from "../store/sqlite-storage.ts";

/** Whose usage a sum counts. `all` has the empty id. */
export type UsageKind = "all" | "channel" | "user" | "server";

/** What a running turn was lent: at most `held` in all, until `until` (epoch milliseconds). */
export interface Lease {
  turnId: string;
  userId: string;
  held: Amount;
  until: number;
}

/** Usage in a scope's storage. Synchronous; the caller makes the transactions. */
export interface UsageStore {
  transaction<Result>(work: () => Result): Result;
  isReported(turnId: string): boolean;
  markReported(turnId: string, at: number): void;
  add(kind: UsageKind, id: string, day: string, sum: UsageSum): void;
  /** The sum of the days from `first` to `last`, both included. */
  sum(kind: UsageKind, id: string, first: string, last: string): UsageSum;
  /** The ids that used the most money in these days, then those that used the most tokens. Omits those that used nothing. */
  dearest(kind: UsageKind, first: string, last: string, count: number): { id: string; sum: UsageSum }[];
  /** The total of each day with usage, the oldest first. */
  byDay(first: string, last: string): { day: string; sum: UsageSum }[];
  /** The ids with usage in these days, the last used first; within a day, those with the most turns first. */
  latest(kind: UsageKind, first: string, last: string): LatelyUsed[];
  /** All leases, including lapsed ones. */
  leases(): Lease[];
  putLease(lease: Lease): void;
  dropLease(turnId: string): void;
  outbox(limit: number): TurnReport[];
  putOutbox(report: TurnReport): void;
  dropOutbox(turnId: string): void;
  /** The oldest day that has a sum; null if there is none. */
  oldestDay(): string | null;
  /** Deletes sums of days before `day`, and marks and leases from before `at`. */
  expire(day: string, at: number): void;
  /** Deletes one person's sums from before `day`, including those of their visitor's objects. */
  forget(userId: string, day: string): void;
  /** Does the same for everyone who asked to be forgotten, with the sums up to the day on which they asked. */
  forgetAll(day: string): void;
  /** Whether there is a sum of this day for someone who has asked to be forgotten on this day or later. */
  hasForgotten(day: string): boolean;
}

/** The columns of a sum, in the order of the table. */
const COLUMNS: Readonly<Record<keyof UsageSum, string>> = {
  turns: "turns",
  inputTokens: "input",
  cachedTokens: "cached",
  outputTokens: "output",
  microUsd: "micro_usd",
  unpricedTokens: "unpriced",
};
const FIELDS = Object.keys(COLUMNS) as (keyof UsageSum)[];
const SUMS = FIELDS.map((field) => `coalesce(sum(${COLUMNS[field]}), 0) AS ${field}`).join();
const ADDED = Object.values(COLUMNS)
  .map((column) => `${column} = ${column} + excluded.${column}`)
  .join();

/** Opens the store. The database's schema must be up to date. */
export function openUsageStore(storage: SqliteStorage): UsageStore {
  const run = openSql(storage);
  return {
    transaction: (work) => storage.transactionSync(work),
    isReported: (turnId) => run("SELECT 1 FROM reported WHERE turn_id = ?", turnId).length > 0,
    markReported: (turnId, at) => void run("INSERT OR IGNORE INTO reported VALUES (?, ?)", turnId, at),
    add: (kind, id, day, sum) =>
      void run(
        `INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (kind, id, day) DO UPDATE SET ${ADDED}`,
        kind,
        id,
        day,
        ...FIELDS.map((field) => sum[field]),
      ),
    sum: (kind, id, first, last) =>
      readSum(
        run(`SELECT ${SUMS} FROM usage WHERE kind = ? AND id = ? AND day BETWEEN ? AND ?`, kind, id, first, last)[0],
      ),
    dearest: (kind, first, last, count) =>
      run(
        `SELECT id, ${SUMS} FROM usage WHERE kind = ? AND day BETWEEN ? AND ? GROUP BY id
         HAVING sum(turns + input + output + micro_usd) > 0
         ORDER BY sum(micro_usd) DESC, sum(input) + sum(output) DESC, id LIMIT ?`,
        kind,
        first,
        last,
        count,
      ).map((row) => ({ id: String(row.id), sum: readSum(row) })),
    byDay: (first, last) =>
      run(
        `SELECT day, ${SUMS} FROM usage WHERE kind = 'all' AND id = '' AND day BETWEEN ? AND ? GROUP BY day ORDER BY day`,
        first,
        last,
      ).map((row) => ({ day: String(row.day), sum: readSum(row) })),
    latest: (kind, first, last) =>
      run(
        `SELECT id, max(day) AS last_day, ${SUMS} FROM usage WHERE kind = ? AND day BETWEEN ? AND ? GROUP BY id
         ORDER BY max(day) DESC, sum(turns) DESC, id`,
        kind,
        first,
        last,
      ).map((row) => ({ id: String(row.id), lastDay: String(row.last_day), sum: readSum(row) })),
    leases: () =>
      run("SELECT * FROM leases").map((row) => ({
        turnId: String(row.turn_id),
        userId: String(row.user_id),
        held: { tokens: Number(row.tokens), microUsd: Number(row.micro_usd) },
        until: Number(row.until),
      })),
    putLease: ({ turnId, userId, held, until }) =>
      void run(
        `INSERT INTO leases VALUES (?, ?, ?, ?, ?) ON CONFLICT (turn_id) DO UPDATE SET
           tokens = excluded.tokens, micro_usd = excluded.micro_usd, until = excluded.until`,
        turnId,
        userId,
        held.tokens,
        held.microUsd,
        until,
      ),
    dropLease: (turnId) => void run("DELETE FROM leases WHERE turn_id = ?", turnId),
    outbox: (limit) =>
      run("SELECT record FROM outbox ORDER BY turn_id LIMIT ?", limit).map((row) => readJson<TurnReport>(row.record)),
    putOutbox: (report) =>
      void run("INSERT OR IGNORE INTO outbox VALUES (?, ?)", report.turnId, JSON.stringify(report)),
    dropOutbox: (turnId) => void run("DELETE FROM outbox WHERE turn_id = ?", turnId),
    // The sum `all` includes every usage, and the key begins with the kind, so this reads one row.
    oldestDay: () => textOrNull(run("SELECT min(day) AS day FROM usage WHERE kind = 'all' AND id = ''")[0]?.day),
    expire(day, at) {
      run("DELETE FROM usage WHERE day < ?", day);
      run("DELETE FROM reported WHERE at < ?", at);
      run("DELETE FROM leases WHERE until < ?", at);
    },
    forget: (userId, day) =>
      void run(
        "DELETE FROM usage WHERE day < ?2 AND (kind = 'user' AND id = ?1 OR kind = 'channel' AND id LIKE '%:' || ?1)",
        userId,
        day,
      ),
    forgetAll: (day) =>
      void run(
        `DELETE FROM usage WHERE day < ? AND EXISTS (
           SELECT 1 FROM forgotten WHERE day <= date(at / 1000, 'unixepoch') AND user_id =
             CASE kind WHEN 'user' THEN id WHEN 'channel' THEN substr(id, nullif(instr(id, ':'), 0) + 1) END)`,
        day,
      ),
    // Few people have asked, and each of them has at most one row of the day.
    hasForgotten: (day) =>
      run(
        "SELECT 1 FROM forgotten CROSS JOIN usage ON kind = 'user' AND id = user_id AND day = ? WHERE at >= ? LIMIT 1",
        day,
        Date.parse(day),
      ).length > 0,
  };
}

const readSum = (row: Row = {}): UsageSum =>
  Object.fromEntries(FIELDS.map((field) => [field, Number(row[field] ?? 0)])) as Record<keyof UsageSum, number>;

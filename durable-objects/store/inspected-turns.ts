// Reads what only the inspector needs from a channel's storage: its turns in pages, and a turn's rows wherever they are. Writes nothing.
import type { LedgerRow, StoredMessage } from "../../src/channel/store.ts";
import { FAILED_STATUSES, type TurnFilter } from "../../src/core/state/inspected.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { readLedgerRow } from "./ledger-row.ts";
import { readMessage } from "./messages.ts";
import { openSql } from "./row-size.ts";
import { numberOrNull, type SqliteStorage, type SqlValue } from "./sqlite-storage.ts";
import { readTurnText } from "./turn-text.ts";

/** The readers of one channel. Times are epoch milliseconds. */
export interface InspectedTurnsStore {
  /**
   * Turns created before this time (null: any) that fit the filter, newest first, without refused ones. Turns of the same moment as the last one
   * are included even beyond the limit, because the next page begins before that moment.
   */
  page(filter: TurnFilter, before: number | null, limit: number): TurnRecord[];
  /** Turns created after this time that failed, newest first. */
  failedSince(since: number, limit: number): TurnRecord[];
  /** When the newest turn was created; null if there is none. */
  newestAt(): number | null;
  /** The model of each turn's newest answer. */
  models(turnIds: readonly string[]): ReadonlyMap<string, string>;
  /** Rows of the channel's own transcript from one `seq` to before another, in their order. */
  rowsBetween(from: number, before: number, limit: number): StoredMessage[];
  /** Every tool call of a turn, including those of answers that a fallback has dropped. */
  callsOf(turnId: string): LedgerRow[];
}

/** Opens the readers. The database's schema must be up to date. */
export function openInspectedTurns(storage: Pick<SqliteStorage, "sql">): InspectedTurnsStore {
  const rows = openSql(storage);
  // The ids are chosen first, by columns that come before a row's long record, so that few records are read.
  const turns = (where: string, limit: number, ...values: SqlValue[]): TurnRecord[] =>
    rows(
      `SELECT record FROM turns WHERE id IN (
         SELECT id FROM turns WHERE state <> 'refused' AND ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit})
       ORDER BY created_at DESC, id DESC`,
      ...values,
    ).map((row) => readTurnText(String(row.record)));
  return {
    page({ userId, status }, before, limit) {
      const conditions = [
        ...(before === null ? [] : [{ is: "created_at < ?", value: before }]),
        ...(userId === null ? [] : [{ is: "json_extract(record, '$.trigger.userId') = ?", value: userId }]),
        ...(status === null
          ? []
          : status === "running"
            ? [{ is: "state <> ?", value: "finished" }]
            : [{ is: "json_extract(record, '$.status') = ?", value: status }]),
      ];
      const where = ["1", ...conditions.map(({ is }) => is)].join(" AND ");
      const values = conditions.map(({ value }) => value);
      const found = turns(where, limit, ...values);
      const last = found[limit - 1];
      if (!last) return found;
      return [...found, ...turns(`${where} AND created_at = ? AND id < ?`, limit, ...values, last.createdAt, last.id)];
    },
    failedSince: (since, limit) =>
      turns(
        "created_at > ? AND json_extract(record, '$.status') IN (SELECT value FROM json_each(?))",
        limit,
        since,
        JSON.stringify(FAILED_STATUSES),
      ),
    newestAt: () => numberOrNull(rows("SELECT max(created_at) AS at FROM turns WHERE state <> 'refused'")[0]?.at),
    models: (turnIds) =>
      new Map(
        rows(
          `SELECT turn_id, json_extract(model_call, '$.model') AS model FROM messages
           WHERE model_call IS NOT NULL AND turn_id IN (SELECT value FROM json_each(?)) ORDER BY seq`,
          JSON.stringify(turnIds),
        ).map((row) => [String(row.turn_id), String(row.model)]),
      ),
    rowsBetween: (from, before, limit) =>
      rows(
        `SELECT messages.* FROM messages JOIN turns ON turns.id = turn_id
         WHERE seq >= ? AND seq < ? AND json_extract(turns.record, '$.trigger.privateTo') IS NULL
         ORDER BY seq LIMIT ?`,
        from,
        before,
        limit,
      ).map(readMessage),
    callsOf: (turnId) =>
      rows("SELECT * FROM ledger WHERE turn_id = ? ORDER BY message_seq, position", turnId).map(readLedgerRow),
  };
}

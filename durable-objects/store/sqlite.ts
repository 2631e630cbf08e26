// The channel's storage in the object's own SQLite. It knows SQL but not what turns mean; each method does exactly what
// the port promises. Tables with text keys are WITHOUT ROWID and there is no index, because every written row is billed (Cloudflare).
import type { StoredSettings } from "../../src/channel/settings.ts";
import type { ChannelStore } from "../../src/channel/store.ts";
import { KEPT_ANSWERS, PRUNING_BATCH } from "../../src/core/limits.ts";
import type { TurnReport } from "../../src/core/money/report.ts";
import { type ChannelState, freeLock, type Lock, type TurnRecord } from "../../src/core/state/record.ts";
import type { ScopeNote } from "../../src/core/state/rpc.ts";
import { createDeletions } from "./deletions.ts";
import { readLedgerRow } from "./ledger-row.ts";
import { createMessages } from "./messages.ts";
import { migrateBy } from "./migrate.ts";
import { migrations, OLDEST_READER } from "./migrations.ts";
import { createReplyFiles } from "./reply-files.ts";
import { withRowLimit } from "./row-size.ts";
import { createSettings } from "./setting-history.ts";
import {
  numberOrNull,
  putOnlyRecord,
  type Row,
  readJson,
  type SqliteStorage,
  type SqlValue,
  textOrNull,
} from "./sqlite-storage.ts";
import { readTurnText, writeTurnText } from "./turn-text.ts";

/** A store that also counts its writes. */
export interface SqliteChannelStore extends ChannelStore {
  /** Rows written since the store was opened; Cloudflare bills by this unit. */
  rowsWritten(): number;
}

/** Opens the database and brings its schema up to date. Throws if the data is newer than the program. */
export function openSqliteStore(storage: SqliteStorage): SqliteChannelStore {
  migrate(storage);
  const sql = withRowLimit(storage);
  let written = 0;
  const run = (query: string, ...values: SqlValue[]): Row[] => {
    const cursor = sql.exec(query, ...values);
    const rows = cursor.toArray();
    written += cursor.rowsWritten;
    return rows;
  };
  const readLock = rememberLast((text) => JSON.parse(text) as Lock);
  const readTurn = rememberLast(readTurnText);
  const readScopeNote = rememberLast((text) => JSON.parse(text) as ScopeNote);
  const readParentSettings = rememberLast((text) => JSON.parse(text) as StoredSettings);
  const lock = () => run("SELECT record FROM lock").map(readLock)[0] ?? freeLock;
  const openTurns = () =>
    run("SELECT record FROM turns WHERE state NOT IN ('finished', 'refused') ORDER BY place, created_at").map(readTurn);
  const turn = (id: string) => run("SELECT record FROM turns WHERE id = ?", id).map(readTurn)[0] ?? null;
  return {
    rowsWritten: () => written,
    lock,
    transaction: (work) => storage.transactionSync(work),
    state: () => channelState(lock(), openTurns()),
    turn,
    recall: turn,
    recallAsked: (id) => turn(id)?.request ?? null,
    recentTurns: (limit, { userId, moderator }) =>
      run(
        `SELECT record FROM turns WHERE state <> 'refused'
           AND (json_extract(record, '$.trigger.userId') = ?2 OR (?3 AND json_extract(record, '$.trigger.privateTo') IS NULL))
         ORDER BY created_at DESC, id DESC LIMIT ?1`,
        limit,
        userId,
        Number(moderator),
      ).map(readTurn),
    askedSince: (userId, since) =>
      run(
        `SELECT created_at AS at FROM turns WHERE created_at > ? AND state <> 'refused'
           AND json_extract(record, '$.trigger.userId') = ? AND json_extract(record, '$.steers') IS NULL
           AND json_extract(record, '$.trigger.reminder') IS NULL ORDER BY created_at DESC`,
        since,
        userId,
      ).map((row) => Number(row.at)),
    steering: (turnId) => openTurns().filter(({ state, steers }) => state === "queued" && steers === turnId),
    insertTurn: (turn) => void run("INSERT INTO turns VALUES (?, ?, ?, ?, ?)", ...buildColumns(turn)),
    saveTurn: (turn) =>
      void run(
        "UPDATE turns SET state = ?2, place = ?3, created_at = ?4, record = ?5 WHERE id = ?1",
        ...buildColumns(turn),
      ),
    saveLock: (lock) => putOnlyRecord(run, "lock", lock),
    ledgerRow: (seq, position) =>
      run("SELECT * FROM ledger WHERE message_seq = ? AND position = ?", seq, position).map(readLedgerRow)[0] ?? null,
    ledgerRowByKey: (key) =>
      run("SELECT * FROM ledger WHERE key = ? ORDER BY message_seq DESC, position DESC LIMIT 1", key).map(
        readLedgerRow,
      )[0] ?? null,
    ledgerRowsFor: (seq) => run("SELECT * FROM ledger WHERE message_seq = ? ORDER BY position", seq).map(readLedgerRow),
    putLedgerRow: (row) =>
      void run(
        `INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (message_seq, position) DO UPDATE SET instance = excluded.instance, result = excluded.result`,
        row.messageSeq,
        row.position,
        row.turnId,
        row.tool,
        row.args,
        row.modelIndex,
        row.instance,
        row.result,
        row.key,
      ),
    resultsFor: (turnId, tool, args) =>
      run(
        `SELECT attempt, result FROM ledger
         WHERE turn_id = ? AND tool = ? AND args = ?
         ORDER BY message_seq, position`,
        turnId,
        tool,
        args,
      ).map(({ attempt, result }) => ({ modelIndex: Number(attempt), result: textOrNull(result) })),
    succeededCalls: (turnId) =>
      Object.fromEntries(
        run(
          `SELECT tool, count(*) AS n FROM ledger WHERE turn_id = ? AND json_extract(result, '$.ok') GROUP BY tool ORDER BY tool`,
          turnId,
        ).map((row) => [String(row.tool), Number(row.n)]),
      ),
    settledCalls: (turnId) =>
      Number(run("SELECT count(*) AS n FROM ledger WHERE turn_id = ? AND result IS NOT NULL", turnId)[0]?.n),
    parentSettings: () => run("SELECT record FROM parent_settings").map(readParentSettings)[0] ?? {},
    saveParentSettings: (settings) => putOnlyRecord(run, "parent_settings", settings),
    storedAnswer: (id) => textOrNull(run("SELECT answer FROM answers WHERE interaction_id = ?", id)[0]?.answer),
    putAnswer(id, answer) {
      run("INSERT OR IGNORE INTO answers VALUES (?, ?)", id, answer);
      // Snowflakes grow with time, so the smallest ids are the oldest. An id may have a suffix (stops of a deleted question do): CAST ignores it.
      run(
        `DELETE FROM answers WHERE interaction_id IN (
           SELECT interaction_id FROM answers ORDER BY CAST(interaction_id AS INTEGER) DESC LIMIT ? OFFSET ?)`,
        PRUNING_BATCH,
        KEPT_ANSWERS,
      );
    },
    sizes: () => {
      const rows = run("SELECT (SELECT count(*) FROM turns) AS turns, (SELECT count(*) FROM messages) AS messages")[0];
      return { turns: Number(rows?.turns), messages: Number(rows?.messages) };
    },
    scopeNote: () => run("SELECT record FROM scope_note").map(readScopeNote)[0] ?? null,
    saveScopeNote: (note) => putOnlyRecord(run, "scope_note", note),
    hasReports: () => run("SELECT 1 FROM reports LIMIT 1").length > 0,
    reports: (limit) =>
      run("SELECT record FROM reports ORDER BY turn_id LIMIT ?", limit).map((row) => readJson<TurnReport>(row.record)),
    putReport: (report) =>
      void run("INSERT OR IGNORE INTO reports VALUES (?, ?)", report.turnId, JSON.stringify(report)),
    dropReport: (turnId) => void run("DELETE FROM reports WHERE turn_id = ?", turnId),
    wasUsedBefore: () => Number(run("SELECT used_before FROM origin")[0]?.used_before) === 1,
    oldestTurn: () => numberOrNull(run("SELECT min(created_at) AS at FROM turns")[0]?.at),
    ...createSettings(run),
    ...createMessages(run),
    ...createReplyFiles(run),
    ...createDeletions(run),
  };
}

/** Builds the state of a channel with this lock. `turns`: the unfinished ones, in the order in which they wait. */
export function channelState(lock: Lock, turns: readonly TurnRecord[]): ChannelState {
  const inState = (state: TurnRecord["state"]) => turns.filter((turn) => turn.state === state);
  return {
    lock,
    running: inState("running")[0] ?? null,
    queue: inState("queued"),
    parked: inState("parked"),
    closing: inState("closing"),
  };
}

/** Brings the schema up to date. Throws if the data is newer than the program and not marked as readable by it. */
export const migrate = (storage: SqliteStorage): void => migrateBy(migrations, storage, OLDEST_READER);

/**
 * Parses records, with a cache of the last few texts: a running turn's record is read a dozen times between two writes.
 * The key is the whole text, so a cached record always equals the stored one. Records are never changed in place.
 */
function rememberLast<Kept>(read: (text: string) => Kept): (row: Row) => Kept {
  let last: { text: string; record: Kept }[] = [];
  return (row) => {
    const text = String(row.record);
    const known = last.find((one) => one.text === text);
    if (known) return known.record;
    const record = read(text);
    last = [{ text, record }, ...last].slice(0, REMEMBERED_RECORDS);
    return record;
  };
}

const REMEMBERED_RECORDS = 4;

const buildColumns = (turn: TurnRecord) =>
  [turn.id, turn.state, turn.queuePosition, turn.createdAt, writeTurnText(turn)] as const;

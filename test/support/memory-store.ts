// The channel's storage in memory, as strict as the SQLite one: stored values can't be changed from outside, a transaction that throws leaves
// nothing, and a nested one is refused. It passes the same contract (test/support/store-contract.ts).
import { checkRow } from "../../durable-objects/store/row-size.ts";
import { writeTurnText } from "../../durable-objects/store/turn-text.ts";
import type { StoredSettings } from "../../src/channel/settings.ts";
import type { ChannelStore, LedgerRow, StoredMessage } from "../../src/channel/store.ts";
import { withoutName, withoutWords } from "../../src/core/decisions/forgotten.ts";
import { KEPT_ANSWERS } from "../../src/core/limits.ts";
import type { TurnReport } from "../../src/core/money/report.ts";
import { mayReadTimeline, transcriptOwner } from "../../src/core/state/private-turns.ts";
import { freeLock, type Lock, type TurnRecord } from "../../src/core/state/record.ts";
import type { FileNote } from "../../src/core/state/reply-files.ts";
import type { ScopeNote } from "../../src/core/state/rpc.ts";
import type { Summary } from "../../src/core/transcript/compaction.ts";
import { frozen } from "./frozen.ts";

interface Tables {
  lock: Lock;
  turns: Map<string, TurnRecord>;
  messages: StoredMessage[];
  nextSeq: number;
  speakers: Map<string, number>;
  nextSpeaker: number;
  ledger: Map<string, LedgerRow>;
  settings: Map<string, string>;
  parentSettings: StoredSettings;
  answers: Map<string, string>;
  scopeNote: ScopeNote | null;
  reports: Map<string, TurnReport>;
  files: { turnId: string; note: FileNote; data: Uint8Array | null }[];
  summary: Summary | null;
}

const emptyTables = (): Tables => ({
  lock: freeLock,
  turns: new Map(),
  messages: [],
  nextSeq: 1,
  speakers: new Map(),
  nextSpeaker: 1,
  ledger: new Map(),
  settings: new Map(),
  parentSettings: {},
  answers: new Map(),
  scopeNote: null,
  reports: new Map(),
  files: [],
  summary: null,
});

/** Rows are never changed in place, so a list of the same rows is a copy. */
const sameRows = (tables: Tables): Tables => ({
  ...tables,
  turns: new Map(tables.turns),
  messages: [...tables.messages],
  speakers: new Map(tables.speakers),
  ledger: new Map(tables.ledger),
  settings: new Map(tables.settings),
  answers: new Map(tables.answers),
  reports: new Map(tables.reports),
  files: [...tables.files],
});

const isOver = ({ state }: TurnRecord) => state === "finished" || state === "refused";
const inOrder = (a: TurnRecord, b: TurnRecord) => a.queuePosition - b.queuePosition || a.createdAt - b.createdAt;
const byTurnId = (a: TurnReport, b: TurnReport) => (a.turnId < b.turnId ? -1 : 1);
const snowflake = (id: string) => BigInt(/^\d*/.exec(id)?.[0] ?? "");
const bySnowflake = (a: string, b: string) => (snowflake(a) < snowflake(b) ? -1 : 1);

/** Makes a channel's storage that exists as long as it is referenced. */
export function memoryStore(): ChannelStore {
  let tables = emptyTables();
  let isInTransaction = false;
  const turn = (id: string) => tables.turns.get(id) ?? null;
  const turns = () => [...tables.turns.values()];
  const ledgerKey = (seq: number, position: number) => `${seq}.${position}`;
  const rowsOf = (seq: number) =>
    [...tables.ledger.values()].filter((row) => row.messageSeq === seq).sort((a, b) => a.position - b.position);

  const dropOrphanFiles = () => {
    tables.files = tables.files.filter(({ turnId }) => tables.turns.has(turnId));
  };

  return {
    transaction(work) {
      if (isInTransaction) throw new Error("a transaction within a transaction");
      const before = sameRows(tables);
      isInTransaction = true;
      try {
        return work();
      } catch (error) {
        tables = before;
        throw error;
      } finally {
        isInTransaction = false;
      }
    },
    lock: () => tables.lock,
    state() {
      const alive = turns()
        .filter((turn) => !isOver(turn))
        .sort(inOrder);
      const inState = (state: TurnRecord["state"]) => alive.filter((turn) => turn.state === state);
      return {
        lock: tables.lock,
        running: inState("running")[0] ?? null,
        queue: inState("queued"),
        parked: inState("parked"),
        closing: inState("closing"),
      };
    },
    turn,
    recall: turn,
    recallAsked: (id) => turn(id)?.request ?? null,
    askedSince: (userId, since) =>
      turns()
        .filter(({ state, createdAt, steers }) => state !== "refused" && createdAt > since && steers === null)
        .filter(({ request }) => request.userId === userId && request.reminder === undefined)
        .map(({ createdAt }) => createdAt)
        .sort((a, b) => b - a),
    recentTurns: (limit, viewer) =>
      turns()
        .filter((turn) => turn.state !== "refused" && mayReadTimeline(turn, viewer))
        .sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1))
        .slice(0, limit),
    steering: (turnId) =>
      turns()
        .filter(({ state, steers }) => state === "queued" && steers === turnId)
        .sort(inOrder),
    insertTurn(turn) {
      checkRow("turns", [turn.id, turn.state, writeTurnText(turn)]);
      if (tables.turns.has(turn.id)) throw new Error(`turn ${turn.id} exists`);
      tables.turns.set(turn.id, frozen(turn));
    },
    saveTurn(turn) {
      checkRow("turns", [turn.id, turn.state, writeTurnText(turn)]);
      if (tables.turns.has(turn.id)) tables.turns.set(turn.id, frozen(turn));
    },
    saveLock(lock) {
      checkRow("lock", [JSON.stringify(lock)]);
      tables.lock = frozen(lock);
    },
    addMessage(message) {
      const { turnId, role, text, details, calls, native, speaker, call } = message;
      const json = [calls, native, speaker, call].map((value) => value && JSON.stringify(value));
      checkRow("messages", [turnId, role, text, details, ...json.map((text) => text ?? null)]);
      const seq = tables.nextSeq++;
      tables.messages.push(frozen({ ...message, seq }));
      return seq;
    },
    numberSpeaker(userId) {
      const number = tables.speakers.get(userId) ?? tables.nextSpeaker++;
      tables.speakers.set(userId, number);
      return number;
    },
    messagesInTurn: (turnId) => tables.messages.filter((message) => message.turnId === turnId),
    messagesBefore(turnId, rows, privateTo) {
      const ended = (id: string) => {
        const turn = tables.turns.get(id);
        if (!turn || turn.forgotten || !["closing", "finished"].includes(turn.state)) return false;
        const { checkpoint, request } = turn;
        const isSilent = checkpoint.kind === "send" && "silent" in checkpoint.ending;
        return !isSilent && !request.catchUp && transcriptOwner(request) === privateTo;
      };
      const earlier = tables.messages.filter((message) => message.turnId !== turnId && ended(message.turnId));
      return rows > 0 ? earlier.slice(-rows) : [];
    },
    summary: () => tables.summary,
    saveSummary(summary) {
      checkRow("summary", [JSON.stringify(summary)]);
      tables.summary = frozen(summary);
    },
    ledgerRow: (seq, position) => tables.ledger.get(ledgerKey(seq, position)) ?? null,
    ledgerRowByKey: (key) =>
      [...tables.ledger.values()]
        .filter((row) => row.key === key)
        .sort((a, b) => b.messageSeq - a.messageSeq || b.position - a.position)[0] ?? null,
    ledgerRowsFor: rowsOf,
    putLedgerRow(row) {
      const key = ledgerKey(row.messageSeq, row.position);
      const known = tables.ledger.get(key);
      checkRow("ledger", Object.values(row));
      tables.ledger.set(key, frozen(known ? { ...known, instance: row.instance, result: row.result } : row));
    },
    resultsFor: (turnId, tool, args) =>
      [...tables.ledger.values()]
        .filter((row) => row.turnId === turnId && row.tool === tool && row.args === args)
        .sort((a, b) => a.messageSeq - b.messageSeq || a.position - b.position)
        .map(({ modelIndex, result }) => ({ modelIndex, result })),
    saveCalls(seq, calls) {
      checkRow("messages", [JSON.stringify(calls)]);
      tables.messages = tables.messages.map((one) => (one.seq === seq ? frozen({ ...one, calls }) : one));
    },
    dropAnswers(turnId) {
      tables.messages = tables.messages.filter((one) => one.turnId !== turnId || one.role !== "assistant");
    },
    succeededCalls(turnId) {
      const isSuccess = ({ result }: LedgerRow) => result !== null && (JSON.parse(result) as { ok: boolean }).ok;
      const rows = [...tables.ledger.values()].filter((row) => row.turnId === turnId && isSuccess(row));
      const tools = [...new Set(rows.map(({ tool }) => tool))].sort();
      return Object.fromEntries(tools.map((tool) => [tool, rows.filter((row) => row.tool === tool).length]));
    },
    settledCalls: (turnId) =>
      [...tables.ledger.values()].filter((row) => row.turnId === turnId && row.result !== null).length,
    addFile: (turnId, note, data) => void tables.files.push(frozen({ turnId, note, data })),
    fileNotes: (turnId) => tables.files.filter((one) => one.turnId === turnId).map(({ note }) => note),
    files: (turnId) =>
      tables.files.flatMap(({ turnId: id, note: { name, type }, data }) =>
        // Bytes can't be frozen.
        id === turnId && data ? [{ name, type, data: data.slice() }] : [],
      ),
    dropFiles(turnId) {
      tables.files = tables.files.filter((one) => one.turnId !== turnId);
    },
    settings: (): StoredSettings => Object.fromEntries(tables.settings),
    putSetting(key, value) {
      if (value === null) tables.settings.delete(key);
      else tables.settings.set(key, value);
    },
    parentSettings: () => tables.parentSettings,
    saveParentSettings(settings) {
      tables.parentSettings = frozen(settings);
    },
    storedAnswer: (id) => tables.answers.get(id) ?? null,
    putAnswer(id, answer) {
      if (!tables.answers.has(id)) tables.answers.set(id, answer);
      const old = [...tables.answers.keys()].sort(bySnowflake).reverse().slice(KEPT_ANSWERS);
      for (const one of old) tables.answers.delete(one);
    },
    sizes: () => ({ turns: tables.turns.size, messages: tables.messages.length }),
    forgetTranscript() {
      const over = new Set(turns().flatMap((turn) => (isOver(turn) ? [turn.id] : [])));
      const kept = tables.messages.filter((message) => !over.has(message.turnId));
      const forgotten = tables.messages.length - kept.length;
      tables.messages = kept;
      for (const [key, row] of tables.ledger) if (over.has(row.turnId)) tables.ledger.delete(key);
      tables.files = tables.files.filter((one) => !over.has(one.turnId));
      for (const turn of turns().filter(isOver)) tables.turns.set(turn.id, frozen(withoutWords(turn)));
      tables.summary = null;
      return forgotten;
    },
    forgetTurn(turnId) {
      tables.files = tables.files.filter((one) => one.turnId !== turnId);
      const { toSeq = 0 } = tables.summary ?? {};
      if (tables.messages.some((message) => message.turnId === turnId && message.seq <= toSeq)) tables.summary = null;
      tables.messages = tables.messages.filter((message) => message.turnId !== turnId);
      for (const [key, row] of tables.ledger) if (row.turnId === turnId) tables.ledger.delete(key);
    },
    forgetPerson(userId) {
      const theirs = turns().filter((turn) => isOver(turn) && turn.request.userId === userId);
      const ids = new Set(theirs.map(({ id }) => id));
      const kept = tables.messages.filter((message) => !ids.has(message.turnId));
      const forgotten = tables.messages.length - kept.length;
      tables.messages = kept;
      for (const [key, row] of tables.ledger) if (ids.has(row.turnId)) tables.ledger.delete(key);
      for (const id of ids) tables.turns.delete(id);
      for (const turn of turns()) tables.turns.set(turn.id, frozen(withoutName(turn, userId)));
      tables.speakers.delete(userId);
      dropOrphanFiles();
      if (tables.summary?.users.includes(userId)) tables.summary = null;
      for (const [id, answer] of tables.answers) if (answer.includes(JSON.stringify(userId))) tables.answers.delete(id);
      return forgotten;
    },
    scopeNote: () => tables.scopeNote,
    saveScopeNote(note) {
      tables.scopeNote = frozen(note);
    },
    hasReports: () => tables.reports.size > 0,
    reports: (limit) => [...tables.reports.values()].sort(byTurnId).slice(0, limit),
    putReport(report) {
      if (!tables.reports.has(report.turnId)) tables.reports.set(report.turnId, frozen(report));
    },
    dropReport: (turnId) => void tables.reports.delete(turnId),
    wasUsedBefore: () => false,
    oldestTurn() {
      const times = turns().map(({ createdAt }) => createdAt);
      return times.length === 0 ? null : Math.min(...times);
    },
    expire(before, batch) {
      const old = turns()
        .filter((turn) => isOver(turn) && turn.createdAt <= before)
        .sort((a, b) => a.createdAt - b.createdAt)
        .slice(0, batch);
      for (const { id } of old) tables.turns.delete(id);
      dropOrphanFiles();
      for (const [key, row] of tables.ledger) if (!tables.turns.has(row.turnId)) tables.ledger.delete(key);
      const orphans = new Set(tables.messages.filter(({ turnId }) => !tables.turns.has(turnId)).slice(0, batch));
      tables.messages = tables.messages.filter((message) => !orphans.has(message));
      const left = new Set(turns().map(({ request }) => request.userId));
      for (const id of tables.speakers.keys()) if (!left.has(id)) tables.speakers.delete(id);
      const isEmpty = old.length < batch && tables.turns.size === 0;
      if (isEmpty) tables.answers.clear();
      if (isEmpty || (tables.summary && tables.summary.at <= before)) tables.summary = null;
      return Math.max(old.length, orphans.size);
    },
    prune(retention, batch) {
      const isUnread = ({ state, checkpoint }: TurnRecord) =>
        state === "refused" || (checkpoint.kind === "send" && "silent" in checkpoint.ending);
      const oldest = (unread: boolean, kept: number) =>
        turns()
          .filter((turn) => isOver(turn) && isUnread(turn) === unread)
          .sort((a, b) => b.createdAt - a.createdAt)
          .slice(kept, kept + batch);
      const unread = oldest(true, retention.refused);
      const oldTurns = [...oldest(false, retention.turns), ...unread];
      for (const turn of oldTurns) tables.turns.delete(turn.id);
      const gone = new Set(unread.map(({ id }) => id));
      tables.messages = tables.messages.filter(({ turnId }) => !gone.has(turnId));
      dropOrphanFiles();
      const alive = new Set(turns().flatMap((turn) => (isOver(turn) ? [] : [turn.id])));
      const beyond = tables.messages.slice(0, Math.max(0, tables.messages.length - retention.messages));
      const oldMessages = new Set(beyond.filter(({ turnId }) => !alive.has(turnId)).slice(0, batch));
      tables.messages = tables.messages.filter((message) => !oldMessages.has(message));
      const seqs = new Set(tables.messages.map(({ seq }) => seq));
      const isOrphan = (row: LedgerRow) => !seqs.has(row.messageSeq) && !alive.has(row.turnId);
      const orphans = [...tables.ledger].filter(([, row]) => isOrphan(row)).slice(0, batch);
      for (const [key] of orphans) tables.ledger.delete(key);
      return oldTurns.length + oldMessages.size + orphans.length;
    },
  };
}

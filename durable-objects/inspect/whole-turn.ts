// Collects a whole turn for the inspector, from what is stored anyway: its record, its messages, the ledger of its calls. Words of private turns
// are left out.
import type { LedgerRow, StoredMessage } from "../../src/channel/store.ts";
import { MAX_CALLS_PER_ANSWER } from "../../src/core/limits.ts";
import type {
  InspectedModelCall,
  InspectedRow,
  InspectedToolCall,
  InspectedTurn,
  InspectedWait,
} from "../../src/core/state/inspected.ts";
import { hidesWords } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { LEFT_OUT, type TurnEvent } from "../../src/core/state/turn-events.ts";
import { byteLength } from "../../src/core/transcript/utf8.ts";
import type { ToolResult } from "../../src/toolkit/run/runtime.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { openInspectedTurns } from "../store/inspected-turns.ts";
import { turnLine } from "./turn-line.ts";

/** The most characters that are shown of one text. A page has many texts. */
const MAX_TEXT_CHARS = 8000;
/** The most rows that are shown of the history that a turn began with. */
const MAX_ROWS = 200;

/** Collects everything about one turn. Changes nothing. */
export function wholeTurn(ports: ChannelPorts, turn: TurnRecord): InspectedTurn {
  const { store, database, requestNotes, clock } = ports;
  const now = clock();
  const isPrivate = hidesWords(turn);
  const own = store.messagesInTurn(turn.id);
  const modelCalls = listModelCalls(turn, own);
  const waits = listWaits(turn);
  const waitEnds = waits.map(({ at, ms }) => at + (ms ?? now - at));
  const { kept: requests, leftOut: requestsLeftOut } = requestNotes.requestsOf(turn);
  return {
    ...turnLine(turn, modelCalls.at(-1)?.model ?? null),
    now,
    deliveredAt: turn.events.findLast(({ what }) => what === "delivered")?.at ?? null,
    isTainted: turn.taint === "full",
    waits,
    modelCalls,
    toolCallList: listCalls(openInspectedTurns(database).callsOf(turn.id), own).map((row) =>
      describeCall(turn, row, isPrivate, waitEnds),
    ),
    requests,
    requestsLeftOut,
    events: turn.events.map(({ call: _listed, ...event }) => (isPrivate ? wordless(event) : event)),
    rows: isPrivate ? [] : [...readHistory(ports, turn, modelCalls, own), ...own].map(describeRow),
    thoughts: isPrivate ? null : (turn.thoughts ?? null),
    messages: turn.parts.map(({ id, state }) => ({ id, isSent: state === "sent" })),
  };
}

const wordless = ({ at, what }: TurnEvent): TurnEvent => ({ at, what });

/** Lists a turn's model calls: those with a stored answer, those without one, and the one that is still open. */
function listModelCalls({ events, checkpoint }: TurnRecord, own: readonly StoredMessage[]): InspectedModelCall[] {
  const answered = own.flatMap(({ call, seq }) => (call ? [{ ...call, seq }] : []));
  const failed = events.flatMap(({ call }) => (call ? [{ ...call, seq: null }] : []));
  const open = checkpoint.kind === "model" && checkpoint.call ? [{ ...checkpoint.call, seq: null }] : [];
  return [...answered, ...failed, ...open].sort((one, other) => one.at - other.at);
}

/** Lists when the turn waited: in the queue, and for a person's approval. */
function listWaits({ createdAt, startedAt, endedAt, waited, events }: TurnRecord): InspectedWait[] {
  const until = (at: number | undefined, from: number) => (at === undefined ? null : at - from);
  const queued: InspectedWait = {
    kind: "queue",
    at: createdAt,
    ms: until(startedAt ?? endedAt ?? undefined, createdAt),
  };
  const asked = events.flatMap((event, index): InspectedWait[] => {
    if (event.what !== "parked") return [];
    const next = events.slice(index + 1).find(({ what }) => RESUMED.has(what) || what === LEFT_OUT);
    if (next?.what === LEFT_OUT) return [];
    return [{ kind: "approval", at: event.at, ms: until(next?.at ?? endedAt ?? undefined, event.at) }];
  });
  return [...(waited || startedAt === null ? [queued] : []), ...asked];
}

/** The events that end the wait for an approval. */
const RESUMED: ReadonlySet<string> = new Set(["went on", "ended"]);

/** A call as the page needs it. `since`: when the newest answer was complete; no call without a result began before that. */
type KnownCall = Pick<LedgerRow, "tool" | "args" | "result" | "messageSeq" | "position"> & { since?: number };

/**
 * Lists a turn's tool calls: those with a row in the ledger, and those of the newest answer without one, because most tools get their row
 * with the result.
 */
function listCalls(rows: readonly LedgerRow[], own: readonly StoredMessage[]): KnownCall[] {
  const { seq: messageSeq = 0, calls = [], call: note } = own.at(-1) ?? {};
  const since = note && { since: note.at + (note.ms ?? 0) };
  const open = calls.slice(0, MAX_CALLS_PER_ANSWER).flatMap((call, position): KnownCall[] => {
    if (!call || rows.some((row) => row.messageSeq === messageSeq && row.position === position)) return [];
    return [{ tool: call.name, args: call.arguments, result: null, messageSeq, position, ...since }];
  });
  return [...rows.map((row) => ({ ...row, ...since })), ...open];
}

/** Describes a call. One without a result began after all of `waitEnds`. */
function describeCall(turn: TurnRecord, row: KnownCall, isPrivate: boolean, waitEnds: number[]): InspectedToolCall {
  const { tool, args, result, messageSeq, position } = row;
  const read = result === null ? null : (JSON.parse(result) as ToolResult);
  const { meta, ...shown } = read ?? {};
  const { currentToolCall, createdAt, endedAt } = turn;
  const since = read ? createdAt : Math.max(currentToolCall?.since ?? 0, row.since ?? createdAt, ...waitEnds);
  const at = meta?.startedAt ?? since;
  const words = read === null || isPrivate ? null : cut(JSON.stringify(shown));
  return {
    tool,
    at,
    ms: read ? (meta?.durationMs ?? 0) : endedAt && Math.max(0, endedAt - at),
    status: read?.status ?? null,
    attempts: meta?.attempts ?? 0,
    isCached: meta?.cached ?? false,
    retries: (meta?.failedRuns ?? []).map((run) => (isPrivate ? { ...run, error: "" } : run)),
    arguments: isPrivate ? null : cut(args),
    result: words,
    argumentBytes: byteLength(args),
    resultBytes: byteLength(result ?? ""),
    messageSeq,
    position,
  };
}

/**
 * Reads the rows before the turn's own that were in its model requests. Leaves out turns that ended later, because they were waiting then, and
 * turns that had nothing to report.
 */
function readHistory(
  { database, store }: ChannelPorts,
  { endedAt }: TurnRecord,
  calls: readonly InspectedModelCall[],
  own: readonly StoredMessage[],
): StoredMessage[] {
  const [first] = own;
  const oldest = calls.flatMap(({ contents }) => contents?.fromSeq ?? []);
  if (!first || oldest.length === 0) return [];
  const rows = openInspectedTurns(database).rowsBetween(Math.min(...oldest), first.seq, MAX_ROWS);
  const others = new Map<string, boolean>();
  return rows.filter(({ turnId }) => {
    if (!others.has(turnId)) {
      const other = store.turn(turnId);
      const isOver = other !== null && other.endedAt !== null && other.endedAt <= (endedAt ?? other.endedAt);
      others.set(turnId, isOver && !hidesWords(other) && !isSilent(other));
    }
    return others.get(turnId);
  });
}

const isSilent = ({ checkpoint }: TurnRecord): boolean =>
  checkpoint.kind === "send" && checkpoint.ending.kind === "completed" && checkpoint.ending.silent === true;

const describeRow = ({ seq, turnId, role, text, calls, speaker }: StoredMessage): InspectedRow => ({
  seq,
  turnId,
  role,
  speaker: speaker?.name ?? null,
  text: cut(text),
  chars: text.length,
  calls: calls.flatMap((call) => call?.name ?? []),
});

const cut = (text: string): string =>
  text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS).toWellFormed()}…` : text;

// The timeline of one turn as plain data, for `/bot trace`; copy/trace.ts has the words.
import type { TurnRecord, TurnRequest, TurnState, TurnStatus } from "./record.ts";
import type { TurnEvent } from "./turn-events.ts";

/** What `/bot trace` tells of one turn. Times are epoch milliseconds. */
export interface TraceReport {
  turnId: string;
  userId: string;
  state: TurnState;
  status: TurnStatus | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  usage: TurnRecord["usage"];
  events: TurnEvent[];
}

/** One of the turns that can be asked for. */
export interface TraceChoice {
  turnId: string;
  userName: string;
  text: string;
  state: TurnState;
  status: TurnStatus | null;
}

/** The report of a record. */
export function buildTrace(turn: TurnRecord): TraceReport {
  const { id: turnId, request, state, status, createdAt, startedAt, endedAt, usage, events } = turn;
  return { turnId, userId: request.userId, state, status, createdAt, startedAt, endedAt, usage, events };
}

/** The turn as one line of a choice. */
export function buildTraceChoice({ id: turnId, request, state, status }: TurnRecord): TraceChoice {
  const { userName, text }: Pick<TurnRequest, "userName" | "text"> = request;
  return { turnId, userName, text: text.slice(0, CHOICE_CHARS), state, status };
}

const CHOICE_CHARS = 60;

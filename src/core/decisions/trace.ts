// Builds the timeline of one turn as plain data, for `/bot trace`; copy/trace.ts makes the text.
import { firstPoints } from "../markdown/code-points.ts";
import type { TurnRecord, TurnRequest, TurnState, TurnStatus } from "../state/record.ts";
import type { TurnEvent } from "../state/turn-events.ts";

/** Sorts a timeline by time. It is stored in the order of writing, and some entries wait for the next step to be written. */
export const inOrder = (events: readonly TurnEvent[]): TurnEvent[] => events.toSorted((a, b) => a.at - b.at);

/** What `/bot trace` shows of one turn. Times are epoch milliseconds. */
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

/** A turn in the list of choices. */
export interface TraceChoice {
  turnId: string;
  userName: string;
  text: string;
  state: TurnState;
  status: TurnStatus | null;
}

/** Builds the report of a record. */
export function buildTrace(turn: TurnRecord): TraceReport {
  const { id: turnId, request, state, status, createdAt, startedAt, endedAt, usage, events } = turn;
  return {
    turnId,
    userId: request.userId,
    state,
    status,
    createdAt,
    startedAt,
    endedAt,
    usage,
    events: inOrder(events),
  };
}

/** Builds a turn's entry in the list of choices. */
export function buildTraceChoice({ id: turnId, request, state, status }: TurnRecord): TraceChoice {
  const { userName, text }: Pick<TurnRequest, "userName" | "text"> = request;
  return { turnId, userName, text: firstPoints(text, CHOICE_CODE_POINTS), state, status };
}

const CHOICE_CODE_POINTS = 60;

// Turns a stored turn into one line of the inspector.
import { FAILED_STATUSES, type InspectedTurnLine, type ModelCallNote } from "../../src/core/state/inspected.ts";
import { hidesWords } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";

const QUESTION_CHARS = 160;

/** Builds the line of one turn. `model`: the one of its newest answer; if null, the line has that of the newest call. */
export function turnLine(turn: TurnRecord, model: string | null): InspectedTurnLine {
  const { id: turnId, request, state, status, createdAt, startedAt, endedAt, usage, takeovers } = turn;
  const isPrivate = hidesWords(turn);
  return {
    turnId,
    channelId: request.channelId,
    guildId: request.guildId,
    userId: request.userId,
    userName: (!isPrivate && request.userName) || null,
    question: isPrivate ? null : request.text.slice(0, QUESTION_CHARS).toWellFormed(),
    isPrivate,
    isReminder: request.reminder !== undefined,
    state,
    status,
    reason: failureName(turn),
    model: model ?? newestCall(turn)?.model ?? null,
    createdAt,
    startedAt,
    endedAt,
    usage,
    toolCalls: turn.toolCalls ?? 0,
    takeovers,
  };
}

/** Returns the newest of a turn's model calls without a stored answer. */
const newestCall = ({ checkpoint, events }: TurnRecord): ModelCallNote | undefined =>
  (checkpoint.kind === "model" ? checkpoint.call : undefined) ?? events.findLast(({ call }) => call)?.call;

/** Returns the name of the reason why a turn failed; null if it didn't. */
export function failureName({ status, checkpoint }: TurnRecord): string | null {
  if (status === null || !FAILED_STATUSES.includes(status) || checkpoint.kind !== "send") return null;
  const { ending } = checkpoint;
  return ending.kind === "model_failed" ? ending.reason : ending.kind;
}

// The results for calls that don't run. Each tells the model why, so that it does something else.
import { MAX_CALLS_PER_ANSWER, MAX_CALLS_PER_TURN } from "../core/limits.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";

const blocked = (error: string, data?: Record<string, unknown>): ToolResult => ({
  ok: false,
  status: "blocked",
  error,
  ...(data && { data }),
});

/** For a call in the last step, where none may be made. */
export const NONE_LEFT = blocked("no tool is offered anymore in this turn");

/** For a call whose tool has already put its answer into the conversation. */
export const WITHDRAWN = blocked("this tool has done its work for this turn: its result is in the conversation");

/** For calls of an answer that come after the one that decided how the turn ends. */
export const AFTER_THE_END = blocked("a call before this one ended the turn, so nothing ran");

/** For a call that the turn's gate refused; the model reads the gate's payload. */
export const gateRefusal = (payload: Record<string, unknown>): ToolResult =>
  blocked("not allowed in this turn", payload);

/** For calls beyond the limit of one answer. */
export const TOO_MANY_IN_ANSWER = blocked(
  `one answer may make ${MAX_CALLS_PER_ANSWER} tool calls; this call did not run, so make it in another answer if it is still needed`,
);

/** For calls beyond the limit of one turn. */
export const TOO_MANY_IN_TURN = blocked(
  `this turn has made ${MAX_CALLS_PER_TURN} tool calls, and no more run; answer with what you have`,
);

/** Whether this result, as the model read it, is `TOO_MANY_IN_TURN`. */
export const isPastTurnLimit = (result: unknown): boolean =>
  (result as { reason?: unknown } | null)?.reason === TOO_MANY_IN_TURN.error;

const REPEATED = "blocked_as_repeated";

/** For a call that had the same result twice in a row. */
export const repeatedCall = (functionName: string): ToolResult =>
  blocked("the same call gave the same result twice in a row", {
    status: REPEATED,
    functionName,
    note: "the last two runs of this call gave the same result; use that result, or do something else",
  });

/** Whether this result, as the model read it, is from `repeatedCall`. */
export const isRepeatedCall = (result: unknown): boolean =>
  (result as { status?: unknown } | null)?.status === REPEATED;

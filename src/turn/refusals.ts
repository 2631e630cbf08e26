// The results that stand in for calls which don't run. Each tells the model why, so that it does something else.
import type { ToolResult } from "../toolkit/run/runtime.ts";

const blocked = (error: string, data?: Record<string, unknown>): ToolResult => ({
  ok: false,
  status: "blocked",
  error,
  ...(data && { data }),
});

/** A call that was invented in the last pass, which offers none. */
export const NONE_LEFT = blocked("no tool is offered any more in this turn");

/** The tool has put its answer into the conversation already. */
export const WITHDRAWN = blocked(
  "this tool has done its work for this turn: what it brought stands in the conversation",
);

/** Calls of one answer after the one that decided how the turn ends. */
export const AFTER_THE_END = blocked("a call before this one ended the turn, so nothing ran");

/** The turn's gate said no; its payload is what the model reads. */
export const gateRefusal = (payload: Record<string, unknown>): ToolResult =>
  blocked("not allowed in this turn", payload);

const REPEATED = "blocked_as_repeated";

/** The same call had the same result twice in a row. */
export const repeatedCall = (functionName: string): ToolResult =>
  blocked("the same call gave the same result twice in a row", {
    status: REPEATED,
    functionName,
    note: "the last two runs of this call gave the same result; use that result, or do something else",
  });

/** Does this result, as the model read it, come from `repeatedCall`? */
export const isRepeatedCall = (result: unknown): boolean =>
  (result as { status?: unknown } | null)?.status === REPEATED;

// Builds the note of a model call that is stored for the inspector: times, figures and counts, but no text.
import type { ModelCallNote, ModelOutcome, ModelRetry } from "../core/state/inspected.ts";
import type { ModelRequest, TokenUsage } from "./ports.ts";
import type { StreamResult } from "./stream-result.ts";

/** Builds the note of a call that has begun; `at` in epoch milliseconds. */
export const openCall = (
  { contents, tools }: ModelRequest,
  model: string,
  at: number,
  estimatedTokens: number,
): ModelCallNote => ({
  at,
  ms: null,
  model,
  firstMs: null,
  outcome: null,
  usage: null,
  contents: contents ? { ...contents, tools: tools.length, estimatedTokens } : null,
});

/** When the call began to answer (null: never) and ended, what it cost, and its retries. */
export interface CallTimes {
  begunAt: number | null;
  endedAt: number;
  usage: TokenUsage | null;
  retries: readonly ModelRetry[];
}

/** Completes the note of a call that has ended. */
export function endedCall(
  call: ModelCallNote,
  result: StreamResult,
  { begunAt, endedAt, usage, retries }: CallTimes,
): ModelCallNote {
  const reason = result.status === "error" || result.status === "timeout" ? result.data.reason : null;
  return {
    ...call,
    ms: endedAt - call.at,
    firstMs: begunAt === null ? null : begunAt - call.at,
    outcome: OUTCOMES[result.status],
    usage,
    ...(reason && { reason }),
    ...(retries.length > 0 && { retries }),
  };
}

const OUTCOMES: Readonly<Record<StreamResult["status"], ModelOutcome>> = {
  completed: "answered",
  function_call: "called_tools",
  empty_response: "empty",
  error: "failed",
  timeout: "timed_out",
  stopped_by_user: "stopped",
  follow_up_interrupt: "stopped",
};

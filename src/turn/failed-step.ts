// Records a failed model call: a line in the log for the operator, and an entry in the turn's timeline for moderators. The person reads
// one sentence that depends on the reason.
import { timelineText } from "../core/copy/timeline.ts";
import type { ModelFailure } from "../core/state/ending.ts";
import type { ModelCallNote } from "../core/state/inspected.ts";
import type { StreamResult } from "./stream-result.ts";
import type { ToolLoopParams } from "./turn-params.ts";

type Params = Pick<ToolLoopParams, "log" | "model" | "store" | "turnId">;

/** Notes a failure after which the same model is tried again. */
export function noteRetry(params: Params, failure: ModelFailure, waitMs: number): void {
  logFailure(params, failure, { waitMs });
  const { store, model } = params;
  const forModerators = timelineText.providerSaid(failure);
  store.note("retry", timelineText.retry(model.name, failure.reason, waitMs), { forModerators });
}

/** Notes why a step gave no answer. Does nothing for a step that gave one. */
export function noteFailedStep(params: Params, result: StreamResult, call: ModelCallNote): void {
  if (result.status === "completed" || result.status === "function_call") return;
  const { store, model } = params;
  const durationMs = call.ms ?? 0;
  const failure = findFailure(result);
  if (failure) logFailure(params, failure, { durationMs });
  const words = failure ? { forModerators: timelineText.providerSaid(failure) } : {};
  const detail = timelineText.modelFailed(model.name, failure?.reason ?? result.status, durationMs);
  store.note("model", detail, { ...words, call });
}

/** Returns the model's own failure; null when the turn ended the step. */
function findFailure(result: StreamResult): ModelFailure | null {
  if (result.status === "error") return result.data;
  return result.status === "timeout" && !result.stopReason ? result.data : null;
}

function logFailure({ log, model, turnId }: Params, failure: ModelFailure, times: Record<string, number>): void {
  log.error("model call failed", { model: model.name, turnId, ...failure, ...times });
}

// The beginning of one model call: its request is built and its note stored in one write, before anything is sent.
import { MAX_CALLS_PER_TURN } from "../core/limits.ts";
import type { ModelCallNote } from "../core/state/inspected.ts";
import { taintOfParts } from "../core/taint/taint.ts";
import { openCall } from "./call-note.ts";
import { usageIfCut } from "./estimated-usage.ts";
import type { ModelRequest } from "./ports.ts";
import { buildModelRequest } from "./prompt.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** Stores that the call begins, and returns it; null when another life owns the turn. */
export function beginCall(
  params: ToolLoopParams,
  iteration: number,
  isLast: boolean,
): { request: ModelRequest; call: ModelCallNote } | null {
  const { store, model, shouldSurfaceUserErrors } = params;
  let begun: ReturnType<typeof beginCall> = null;
  store.modelCallStarted(iteration, shouldSurfaceUserErrors, () => {
    const request = buildModelRequest(params, isLast || store.toolCalls() >= MAX_CALLS_PER_TURN);
    const ifCut = usageIfCut(request, model.price);
    const call = openCall(request, model.name, params.clock(), ifCut.inputTokens);
    begun = { request, call };
    return { ifCut, taint: taintOfParts(request.messages), call };
  });
  return begun;
}

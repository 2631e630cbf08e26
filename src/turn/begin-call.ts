// Begins one model call: builds its request and stores its note, in one write, before anything is sent.
import { MAX_CALLS_PER_TURN } from "../core/limits.ts";
import type { ModelCallNote } from "../core/state/inspected.ts";
import { taintOfParts } from "../core/taint/taint.ts";
import { openCall } from "./call-note.ts";
import { usageIfCut } from "./estimated-usage.ts";
import type { ModelRequest } from "./ports.ts";
import { buildModelRequest } from "./prompt.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** A call that has begun, as it is stored. */
export interface Begun {
  request: ModelRequest;
  call: ModelCallNote;
}

/** Stores that the call begins, and returns it; null when another life owns the turn. */
export function beginCall(params: ToolLoopParams, iteration: number, isLast: boolean): Begun | null {
  const { store, shouldSurfaceUserErrors } = params;
  let begun: Begun | null = null;
  store.modelCallStarted(iteration, shouldSurfaceUserErrors, () => {
    const request = buildModelRequest(params, isLast || store.toolCalls() >= MAX_CALLS_PER_TURN);
    const { call, ifCut } = noteCall(params, request, params.clock());
    begun = { request, call };
    return { ifCut, taint: taintOfParts(request.messages), call };
  });
  return begun;
}

/** Returns the note of a call that has begun, for the request that was sent last: that may be a smaller one than the first. */
export const noteSent = (params: ToolLoopParams, { request, call }: Begun, sent: ModelRequest): ModelCallNote =>
  sent === request ? call : noteCall(params, sent, call.at).call;

function noteCall({ model }: ToolLoopParams, request: ModelRequest, at: number) {
  const ifCut = usageIfCut(request, model.price);
  return { call: openCall(request, model.name, at, ifCut.inputTokens), ifCut };
}

// One tool call of an answer: checked against a pending stop, launched through the ledger, run within its limit, recorded.
// Entered at most once per call and life; what an earlier life left behind decides whether it may run at all.

import type { ToolResult } from "../toolkit/runtime.ts";
import { isRepeatable, type Tool, type ToolContext } from "../toolkit/tool.ts";
import type { PlacedCall, TurnAbort } from "./ports.ts";
import type { TurnParams } from "./turn-params.ts";

/** `abort` ends the turn and records nothing; `history` recorded exactly one result. */
export type CallOutcome = { kind: "abort"; abort: TurnAbort } | { kind: "history"; success: boolean; endTurn: boolean };

const SUPERSEDED: CallOutcome = { kind: "abort", abort: { kind: "superseded" } };

/** Runs one call and stores its result. A result that comes after a stop is dropped: the model never sees it. */
export async function executeToolCall(
  params: TurnParams,
  placed: PlacedCall,
  truncated: boolean,
): Promise<CallOutcome> {
  const { store, signal, clock, log } = params;
  const abort = abortOf(params);
  if (abort) return { kind: "abort", abort };
  const { call } = placed;
  const tool = params.registry.get(call.name);
  const refusal = truncated ? TRUNCATED : (leftBehind(params, placed, tool) ?? gated(params, call.name));
  if (refusal)
    return store.toolSettled(placed, refusal) ? { kind: "history", success: false, endTurn: false } : SUPERSEDED;

  const startedAt = clock();
  const current = { name: call.name, callId: call.id, since: startedAt };
  const readOnly = tool?.hints.readOnly ?? true;
  if (!store.toolLaunched(placed, current, startedAt + params.limits.toolTimeoutMs, readOnly)) return SUPERSEDED;
  const result = await params.runtime.execute(call, contextOf(params, placed), params.limits.toolTimeoutMs);
  log.info(`Function call completed: ${call.name} (${clock() - startedAt}ms)`, { status: result.status });

  const ended = abortOf(params);
  if (ended) return { kind: "abort", abort: ended };
  if (signal.aborted || !store.toolSettled(placed, result)) return SUPERSEDED;
  return { kind: "history", success: result.ok, endTurn: result.ok && tool?.category === "terminal" };
}

/** Why the turn has to end now, if it has to: the durable flag first, because it is what survives. */
export function abortOf({ store, signal }: Pick<TurnParams, "store" | "signal">): TurnAbort | null {
  if (store.stopFlag()) return { kind: "flagged" };
  return signal.aborted ? (signal.reason as TurnAbort) : null;
}

const TRUNCATED: ToolResult = {
  ok: false,
  status: "invalid_input",
  error: "the arguments were cut off, so nothing ran; call again with smaller arguments",
};

const INTERRUPTED: ToolResult = {
  ok: false,
  status: "interrupted",
  error: "the call was interrupted; outcome unknown, it may or may not have taken effect",
};

/** A call that an earlier life launched may only run again if that can't do harm. */
function leftBehind({ store }: TurnParams, placed: PlacedCall, tool: Tool | null): ToolResult | null {
  const entry = store.ledgerEntry(placed);
  if (entry?.state !== "launched" || entry.ownLife) return null;
  return tool && isRepeatable(tool) ? null : INTERRUPTED;
}

function gated({ gate }: TurnParams, toolName: string): ToolResult | null {
  const verdict = gate.decide(toolName);
  return verdict.allowed
    ? null
    : { ok: false, status: "blocked", error: "not allowed in this turn", data: verdict.payload };
}

function contextOf(params: TurnParams, { messageSeq, position, call }: PlacedCall): ToolContext {
  const { trigger, signal, random, log, clock } = params;
  return {
    now: clock(),
    signal,
    random,
    log: (line, detail) => log.info(line, { tool: call.name, ...detail }),
    channelId: trigger.channelId,
    guildId: trigger.guildId,
    userId: trigger.userId,
    locale: trigger.locale,
    turnId: params.turnId,
    callId: call.id,
    attempt: 1,
    idempotencyKey: `${params.turnId}:${messageSeq}.${position}`,
  };
}

// One tool call of an answer: checked against a pending stop, gated, launched through the ledger, run within its limit,
// recorded. Entered at most once per call and life; what an earlier life or attempt left behind decides whether it may run.
import type { TurnStatus } from "../core/record.ts";
import type { ToolResult } from "../toolkit/runtime.ts";
import { isRepeatable, type Tool } from "../toolkit/tool.ts";
import { readContextRestart } from "./context-restart.ts";
import { functionResponseOf } from "./function-response.ts";
import type { PlacedCall, TurnAbort } from "./ports.ts";
import { toolContextOf } from "./tool-context.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** A call and its answer as the loop keeps them for the result of the turn. */
export interface ToolHistoryEntry {
  functionCall: { name: string; arguments: string };
  functionResponse: { name: string; response: { result: unknown } };
  /** What was said before the call in the same answer. */
  preToolCallTextParts?: string[];
}

/** `restart` and `abort` record nothing; `history` recorded exactly one result. */
export type CallOutcome =
  | { kind: "restart" }
  | { kind: "abort"; status: Extract<TurnStatus, "error" | "timeout" | "stopped_by_user">; abort: TurnAbort }
  | { kind: "history"; functionName: string; success: boolean; endTurn: boolean; historyEntry: ToolHistoryEntry };

/** A call that may run now, or the result that stands in its stead. */
export type Prepared = { placed: PlacedCall; tool: Tool | null } & ({ result: ToolResult } | { result: null });

/** Why the turn has to end now, if it has to: the durable flag first, because it is what survives. */
export function abortOf({ store, signal }: Pick<ToolLoopParams, "store" | "signal">): TurnAbort | null {
  if (store.stopFlag()) return { kind: "flagged" };
  return signal.aborted ? (signal.reason as TurnAbort) : null;
}

/** The outcome that ends the turn. A deadline is a timeout; everything else that aborts a call is a stop of some kind. */
export function aborted(abort: TurnAbort): CallOutcome {
  return { kind: "abort", status: abort.kind === "deadline" ? "timeout" : "stopped_by_user", abort };
}

/** Decides over one call before anything runs: malformed, cut off, left behind, refused by the gate, or free to run. */
export function prepareCall(params: ToolLoopParams, placed: PlacedCall): Prepared {
  const { call } = placed;
  const tool = params.registry.get(call.name);
  const refusal = call.truncated
    ? TRUNCATED
    : (leftBehind(params, placed, tool) ?? gated(params, call.name) ?? replayed(params, placed, tool));
  return { placed, tool, result: refusal };
}

/** Launches calls that may run together, waits for all, and gives each its result in order. */
export async function runCalls(
  params: ToolLoopParams,
  calls: Prepared[],
  iteration: number,
): Promise<ToolResult[] | TurnAbort> {
  const { store, clock, log, limits } = params;
  const startedAt = clock();
  const toRun = calls.filter((one) => one.result === null);
  const [first] = toRun;
  if (first) {
    const current = { name: first.placed.call.name, callId: first.placed.call.id, since: startedAt };
    const readOnly = toRun.every(({ tool }) => tool?.hints.readOnly ?? true);
    const places = toRun.map(({ placed }) => placed);
    if (!store.toolsLaunched(places, current, startedAt + limits.toolTimeoutMs, readOnly))
      return { kind: "superseded" };
  }
  const results = await Promise.all(
    calls.map(async ({ placed, result }) => {
      if (result) return result;
      const { call } = placed;
      const answer = await params.runtime.execute(call, toolContextOf(params, placed, iteration), limits.toolTimeoutMs);
      log.info(`Function call completed: ${call.name} (${clock() - startedAt}ms)`, { status: answer.status });
      return answer;
    }),
  );
  return abortOf(params) ?? results;
}

/** Stores what a call came to. A result that comes after a stop never gets here: the model does not see it. */
export function recordCall(
  params: ToolLoopParams,
  { placed, tool }: Prepared,
  result: ToolResult,
  preToolText: string,
): CallOutcome {
  const { store, stash, log } = params;
  const { call } = placed;
  const restart = result.ok ? readContextRestart(call.name, result.data, stash, log) : null;
  if (restart) return store.callWithdrawn(placed, restart) ? { kind: "restart" } : aborted({ kind: "superseded" });
  if (!store.toolSettled(placed, result)) return aborted({ kind: "superseded" });
  const historyEntry: ToolHistoryEntry = {
    functionCall: { name: call.name, arguments: call.arguments },
    functionResponse: functionResponseOf(call.name, result),
    ...(preToolText.trim() === "" ? {} : { preToolCallTextParts: [preToolText] }),
  };
  const endTurn = result.ok && tool?.category === "terminal";
  return { kind: "history", functionName: call.name, success: result.ok, endTurn, historyEntry };
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
function leftBehind({ store }: ToolLoopParams, placed: PlacedCall, tool: Tool | null): ToolResult | null {
  const entry = store.ledgerEntry(placed);
  if (entry?.state !== "launched" || entry.ownLife) return null;
  return tool && isRepeatable(tool) ? null : INTERRUPTED;
}

/** What an earlier attempt of the turn has done already is not done again, unless it only reads. */
function replayed({ store }: ToolLoopParams, placed: PlacedCall, tool: Tool | null): ToolResult | null {
  return tool && !tool.hints.readOnly ? store.earlierResult(placed) : null;
}

function gated({ gate }: ToolLoopParams, toolName: string): ToolResult | null {
  const verdict = gate.decide(toolName);
  if (verdict.allowed) return null;
  return { ok: false, status: "blocked", error: "not allowed in this turn", data: verdict.payload };
}

// Executes an answer's tool calls: checks for a pending stop, gates them, launches them through the ledger, runs them within their time
// limit and records the results. Entered at most once per call and life; what an earlier life or model left decides whether a call may
// run.
import type { AskedCall } from "../core/state/approval-request.ts";
import type { TurnStatus } from "../core/state/record.ts";
import { canonicalJson } from "../core/transcript/canonical.ts";
import { judgeRepetition, type PastCall } from "../core/transcript/loop-detector.ts";
import type { ToolCall } from "../core/transcript/transcript.ts";
import type { ToolCard } from "../toolkit/define/tool.ts";
import { interrupted } from "../toolkit/run/launch-entry.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import { truncatedInput } from "../toolkit/tool-result.ts";
import { readContextRestart } from "./context-restart.ts";
import { buildResponse } from "./function-response.ts";
import { buildNotices, type HiddenNotice } from "./hidden-notice.ts";
import type { Gate, NumberedCall, TriggerMatch, TurnAbort } from "./ports.ts";
import { gateRefusal, repeatedCall, WITHDRAWN } from "./refusals.ts";
import { describeCall } from "./timeline.ts";
import { buildToolContext } from "./tool-context.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** What a call asks for: two calls with the same name and arguments are the same. */
type CallWords = Pick<ToolCall, "name" | "arguments">;

/** A call that was answered, and what the loop needs to know about it. */
export interface CallHistory {
  kind: "history";
  call: CallWords;
  success: boolean;
  status: ToolResult["status"];
  endTurn: boolean;
  /** The tool itself gave the person something: its own message, as its data says, or a file. */
  delivered: boolean;
  /** What the model reads. */
  response: unknown;
  notices: HiddenNotice[];
}

/** A call that enriched the context instead of being answered. */
export interface CallRestart {
  kind: "restart";
  notices: HiddenNotice[];
}

/** Why calls were not answered: the turn has to end, or a call has no tool name. */
export type CallAbort =
  | {
      kind: "abort";
      status: Extract<TurnStatus, "timeout" | "stopped_by_user" | "follow_up_interrupt">;
      abort: TurnAbort;
    }
  | { kind: "abort"; status: "error" };

/**
 * For `history`, exactly one result was recorded; for `restart`, what the call adds to the conversation. For `park` (a person must approve first)
 * and `abort`, nothing was recorded.
 */
export type CallOutcome = CallRestart | { kind: "park"; asked: AskedCall } | CallAbort | CallHistory;

/** A call that may run now, or one with the result that replaces running it. */
export interface Prepared {
  placed: NumberedCall;
  tool: ToolCard | null;
  result: ToolResult | null;
}

/** Returns why the turn has to end now, or null. The stored flag is checked first, because it survives this life. */
export function findAbort({ store, signal }: Pick<ToolLoopParams, "store" | "signal">): TurnAbort | null {
  if (store.stopFlag()) return { kind: "flagged" };
  return signal.aborted ? (signal.reason as TurnAbort) : null;
}

/** Decides about one call before the runtime gets it: whether it was cut off, withdrawn, blocked by the gate or repeated, or may run. */
export function prepareCall(params: ToolLoopParams, placed: NumberedCall, past: readonly PastCall[]): Prepared {
  const { runtime, gate, store } = params;
  const { call } = placed;
  // The tool that would run, however the model spelled its name: withdrawal, gate and fence apply to that tool.
  const tool = runtime.toolFor(call.name);
  const name = tool?.name ?? call.name;
  const instead = (result: ToolResult): Prepared => ({ placed, tool, result });
  if (call.truncated) return instead(truncatedInput());
  // Its tool may have gone or changed since, and would then say that nothing ran.
  if (placed.wasLaunched && !tool?.hints.idempotent) return instead(interrupted());
  if (store.enrichment().withdrawnTools.includes(name)) return instead(WITHDRAWN);
  const verdict = gate.decide(name);
  if (!verdict.allowed) return instead(gateRefusal(verdict.payload));
  if (judgeRepetition(past, callFingerprint(call)) !== "run") return instead(repeatedCall(call.name));
  return { placed, tool, result: null };
}

/** Equal calls have equal fingerprints. */
export const callFingerprint = ({ name, arguments: text }: CallWords): string => `${name} ${canonicalJson(text)}`;

/**
 * Runs calls that may run together, waits for all of them, and records the results in order. A result that arrives after a stop is not recorded,
 * so the model does not see it.
 */
export async function executeToolCalls(
  params: ToolLoopParams,
  calls: Prepared[],
  iteration: number,
): Promise<CallOutcome[]> {
  const startedAt = params.clock();
  if (!launchReads(params, calls, startedAt)) return [aborted({ kind: "superseded" }, params)];
  const answers = await Promise.all(
    calls.map(async (prepared) => {
      const { placed, result } = prepared;
      const context = buildToolContext(params, placed, iteration);
      const answer = result ?? (await params.runtime.execute(placed.call, context, params.limits.toolTimeoutMs));
      return { prepared, answer, ms: params.clock() - startedAt };
    }),
  );
  const abort = findAbort(params);
  if (abort) {
    // They may have taken effect, so moderators must be able to see them.
    for (const { prepared, answer } of answers) params.store.note("tool", describeCall(prepared.placed.call, answer));
    return [aborted(abort, params)];
  }
  return answers.map(({ prepared, answer, ms }) => recordCall(params, prepared, answer, ms));
}

/** Returns the outcome if one of the calls names no tool: the answer is broken, so nothing runs. */
export function malformed({ log, turnId }: ToolLoopParams, calls: NumberedCall[], iteration: number): CallAbort | null {
  if (calls.every(({ call }) => call.name.trim() !== "")) return null;
  log.error("a call without a name", { turnId, iteration });
  return { kind: "abort", status: "error" };
}

/** Returns the outcome that ends the turn: a deadline is a timeout, everything else is a kind of stop. */
export function aborted(abort: TurnAbort, { store }: Pick<ToolLoopParams, "store">): CallAbort {
  if (abort.kind === "deadline") return { kind: "abort", status: "timeout", abort };
  const isFollowUp = abort.kind === "flagged" && store.stopFlag()?.kind === "follow_up";
  return { kind: "abort", status: isFollowUp ? "follow_up_interrupt" : "stopped_by_user", abort };
}

/** Returns what a recorded result means for the loop. It may have been recorded by an earlier life. */
export function buildHistory(
  { gate }: Pick<ToolLoopParams, "gate">,
  { placed, tool }: Pick<Prepared, "placed" | "tool">,
  result: ToolResult,
): CallHistory {
  const { call } = placed;
  return {
    kind: "history",
    call,
    success: result.ok,
    endTurn: result.ok && (result.endTurn === true || tool?.category === "terminal"),
    delivered: result.ok && hasDelivered(result),
    status: result.status,
    response: buildResponse(call.name, result),
    notices: buildNotices(call, result, findTrigger(gate, call.name)),
  };
}

const hasDelivered = ({ data, files = [] }: ToolResult): boolean =>
  (data as { responseDelivered?: unknown } | null)?.responseDelivered === true || files.some(({ leftOut }) => !leftOut);

/** Finds what exposed the tool of a call; stored calls have the names of their tools. */
function findTrigger(gate: Gate, toolName: string): TriggerMatch | undefined {
  const verdict = gate.decide(toolName);
  return verdict.allowed ? verdict.trigger : undefined;
}

/**
 * Stores in one write that read-only calls begin; calls that change something are launched by the ledger. Returns false if another life owns the
 * turn.
 */
function launchReads({ store, limits }: ToolLoopParams, calls: Prepared[], now: number): boolean {
  const toRun = calls.filter(({ tool, result }) => result === null && (tool?.hints.readOnly ?? true));
  const placed = toRun.map((prepared) => prepared.placed);
  return placed.length === 0 || store.readsLaunched(placed, now, now + limits.toolTimeoutMs);
}

/**
 * Logs an error for operators if something broke or had to be repeated. A failure that the tool answered on purpose is information, like a
 * success.
 */
function logFailure(log: ToolLoopParams["log"], tool: string, { status, error, meta }: ToolResult, ms: number): void {
  const { retries = 0, failedRuns = [], isFault } = meta ?? {};
  const cause = error ?? failedRuns.at(-1)?.error;
  if (isFault || retries > 0) log.error("a tool failed", { tool, status, error: cause, retries, ms });
  else if (status === "error") log.info("a tool returned a failure", { tool, error });
}

function recordCall(params: ToolLoopParams, prepared: Prepared, result: ToolResult, ms: number): CallOutcome {
  const { store, stash, log } = params;
  const { placed, tool } = prepared;
  const { name } = placed.call;
  logFailure(log, name, result, ms);
  const asked = result.status === "needs_approval" ? store.asked() : null;
  if (asked) return { kind: "park", asked };
  const restart = result.ok ? readContextRestart(name, tool, result, stash, log) : null;
  if (restart)
    return store.callWithdrawn(placed, restart)
      ? { kind: "restart", notices: buildNotices(placed.call, result, findTrigger(params.gate, name)) }
      : aborted({ kind: "superseded" }, params);
  if (!store.toolSettled(placed, result)) return aborted({ kind: "superseded" }, params);
  log.info(`Function call completed: ${name} (${ms}ms)`, { status: result.status });
  return buildHistory(params, prepared, result);
}

// The loop of model ⇄ tools within its limits, for one attempt with one model. All that matters is stored at each step's edge,
// so a life that takes the turn over enters here as well and goes on where the last one stopped.
import type { Ending } from "../core/failure.ts";
import { SOFT_WARN_ITERATION_THRESHOLD } from "../core/limits.ts";
import { say } from "../core/outcome.ts";
import type { ToolResult } from "../toolkit/runtime.ts";
import { batchesOf } from "./batches.ts";
import {
  aborted,
  abortOf,
  type CallOutcome,
  type Prepared,
  prepareCall,
  recordCall,
  runCalls,
  type ToolHistoryEntry,
} from "./execute-tool-call.ts";
import type { ModelAnswer, PlacedCall, TurnAbort } from "./ports.ts";
import { requestOf, smallerRequest } from "./prompt.ts";
import { createSaid, type Said } from "./said.ts";
import type { StreamResult } from "./stream-once.ts";
import { streamPatiently } from "./stream-patiently.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** What an attempt has gathered, however it ended. `text` is all that was streamed, in order. */
export interface LoopState {
  streamResults: StreamResult[];
  functionHistory: ToolHistoryEntry[];
  text: string;
  thoughtLog: string;
}

/** How the attempt ended. `answer` is its last pass, complete and not stored yet. */
export type LoopEnd = LoopState &
  ({ kind: "ended"; ending: Ending; answer: ModelAnswer | null } | { kind: "aborted"; abort: TurnAbort });

/** After these tools a turn whose answer was spoken before the call is over. */
const TOOLS_SUPPRESS_FOLLOWUP_AFTER_PRETOOL_TEXT = new Set(["update_short_term_memory"]);

/** One pass: the calls that it asks for, or the end of the attempt. */
type Pass = { calls: PlacedCall[]; text: string } | { end: Ending; answer: ModelAnswer | null } | { abort: TurnAbort };

/** Runs the passes of one attempt until an answer, an abort or a limit. */
export async function runToolLoop(params: ToolLoopParams): Promise<LoopEnd> {
  const { store, limits, reply } = params;
  const said = createSaid(store, reply);
  const state: Omit<LoopState, "text"> = { streamResults: [], functionHistory: [], thoughtLog: "" };
  const ended = (ending: Ending, answer: ModelAnswer | null = null): LoopEnd => ({
    ...state,
    text: said.text(),
    kind: "ended",
    ending,
    answer,
  });
  let consecutiveToolErrors = 0;
  let leftOpen = store.openCalls();

  for (let iteration = store.iteration(); iteration < limits.maxIterations; iteration++) {
    const isLast = iteration === limits.maxIterations - 1 && limits.maxIterations > 1;
    const pass: Pass =
      leftOpen.length > 0 ? { calls: leftOpen, text: "" } : await onePass(params, said, state, iteration, isLast);
    leftOpen = [];
    if ("end" in pass) return ended(pass.end, pass.answer);
    if ("abort" in pass) return { ...state, text: said.text(), kind: "aborted", abort: pass.abort };

    let endsTurn = false;
    for await (const outcome of callOutcomes(params, said, pass, iteration, isLast)) {
      if (outcome.kind === "abort") return { ...state, text: said.text(), kind: "aborted", abort: outcome.abort };
      if (outcome.kind === "restart") {
        consecutiveToolErrors = 0;
        continue;
      }
      state.functionHistory.push(outcome.historyEntry);
      consecutiveToolErrors = outcome.success ? 0 : consecutiveToolErrors + 1;
      if (consecutiveToolErrors >= limits.maxConsecutiveToolErrors) return ended({ kind: "tool_errors" });
      endsTurn ||=
        outcome.endTurn || (outcome.success && endsAfterPreToolText(params, outcome.functionName, pass.text));
    }
    if (endsTurn) return ended({ kind: "completed" });
    reply.show({ text: said.text(), line: null });
  }
  return ended({ kind: "iteration_limit" });
}

/** One request to the model and what it came to; a complete answer with calls is stored here, once. */
async function onePass(
  params: ToolLoopParams,
  said: Said,
  state: Omit<LoopState, "text">,
  iteration: number,
  isLast: boolean,
): Promise<Pass> {
  const { store, model, reply } = params;
  const before = abortOf(params);
  if (before) return { abort: before };
  if (!store.modelCallStarted(iteration)) return { abort: { kind: "superseded" } };
  if (iteration >= SOFT_WARN_ITERATION_THRESHOLD) params.onDue();
  const result = await streamPatiently(
    {
      ...params,
      onText: said.stream,
      onProgressOf: (listener) => reply.onAccepted(listener),
      smaller: (request) => smallerRequest(params, request),
    },
    requestOf(params, isLast),
  );
  state.streamResults.push(result);
  state.thoughtLog = result.thoughtLog || state.thoughtLog;
  const after = abortOf(params);
  if (after) return { abort: after };
  switch (result.status) {
    case "aborted":
      return { abort: result.stopReason };
    case "error":
      return { end: { kind: "model_failed", reason: result.data.reason }, answer: null };
    case "timeout":
      return { end: { kind: "model_silent" }, answer: null };
    case "empty_response":
      return { end: { kind: "empty" }, answer: null };
    case "completed":
      return { end: { kind: isLast ? "iteration_limit" : "completed" }, answer: answerOf(result, model.name) };
    case "function_call": {
      const calls = store.modelAnswered(answerOf(result, model.name));
      if (!calls) return { abort: { kind: "superseded" } };
      said.keep();
      return { calls, text: result.accumulatedText };
    }
  }
}

/**
 * The calls of one answer, a batch at a time: read-only ones together, any other alone, results in the order of the calls.
 * Calls after one that ended the turn are answered without running, so that every call has its result.
 */
async function* callOutcomes(
  params: ToolLoopParams,
  said: Said,
  pass: { calls: PlacedCall[]; text: string },
  iteration: number,
  isLast: boolean,
): AsyncGenerator<CallOutcome> {
  let isOver = false;
  for (const batch of batchesOf(pass.calls, ({ call }) => params.registry.get(call.name)?.hints.readOnly ?? true)) {
    const abort = abortOf(params);
    if (abort) return yield aborted(abort);
    const names = batch.map(({ call }) => call.name).join(", ");
    params.reply.show({ text: said.text(), line: say.usingTool(names) });
    const prepared = batch.map((placed): Prepared => {
      const refusal = isOver ? AFTER_THE_END : isLast ? WITHDRAWN : null;
      return refusal ? { placed, tool: null, result: refusal } : prepareCall(params, placed);
    });
    const results = await runCalls(params, prepared, iteration);
    if (!Array.isArray(results)) return yield aborted(results);
    for (const [index, one] of prepared.entries()) {
      const outcome = recordCall(params, one, results[index] ?? WITHDRAWN, pass.text);
      isOver ||= outcome.kind === "history" && outcome.endTurn;
      yield outcome;
    }
  }
}

const WITHDRAWN: ToolResult = { ok: false, status: "blocked", error: "no tool is offered any more in this turn" };
const AFTER_THE_END: ToolResult = { ok: false, status: "blocked", error: "the call before this one ended the turn" };

function endsAfterPreToolText({ model }: ToolLoopParams, toolName: string, text: string): boolean {
  if (text.trim() === "") return false;
  return model.family === "novelai" || TOOLS_SUPPRESS_FOLLOWUP_AFTER_PRETOOL_TEXT.has(toolName);
}

function answerOf(
  result: Extract<StreamResult, { status: "completed" | "function_call" }>,
  model: string,
): ModelAnswer {
  const { accumulatedText: text, detailsContent: details, usage, finishReason, native } = result;
  const calls = result.status === "function_call" ? result.data : [];
  // A cut answer is cut inside its last call.
  const marked =
    finishReason === "length"
      ? calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true as const } : call))
      : calls;
  return { text, details, calls: marked, usage, model, native };
}

// The loop of model and tools within its limits, for one run with one model. Everything important is stored at the end of each step, so a
// life that takes over the turn also enters here and continues where the last one stopped.

import { say } from "../core/copy/notices.ts";
import { MAX_CALLS_PER_TURN, SOFT_WARN_ITERATION_THRESHOLD } from "../core/limits.ts";
import type { AskedCall } from "../core/state/approval-request.ts";
import type { Ending } from "../core/state/ending.ts";
import { runsTogether } from "../toolkit/define/tool.ts";
import { askModel } from "./ask-model.ts";
import { splitIntoBatches } from "./batches.ts";
import { beginCall } from "./begin-call.ts";
import {
  aborted,
  type CallAbort,
  executeToolCalls,
  findAbort,
  malformed,
  type Prepared,
  prepareCall,
} from "./execute-tool-call.ts";
import {
  type Gathered,
  type LoopProgress,
  NONE_OFFERED,
  restoreProgress,
  takeCall,
  takeRestart,
  takeStored,
  UNDECIDED,
} from "./loop-state.ts";
import { buildAnswer, withResolvedNames } from "./model-answer.ts";
import type { FinishReason, ModelAnswer, NumberedCall, StoredRound, TurnAbort } from "./ports.ts";
import { TOO_MANY_IN_TURN } from "./refusals.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** How the run ended. `answer` is its last answer: complete, but not stored yet. */
export type LoopEnd = Gathered & End;

type End =
  | { kind: "ended"; ending: Ending; answer: ModelAnswer | null }
  | { kind: "aborted"; abort: TurnAbort }
  | { kind: "parked"; asked: AskedCall };

/** Runs the steps of one model until an answer, an abort or a limit ends the run. Resumes from what is stored. */
export async function runToolLoop(params: ToolLoopParams): Promise<LoopEnd> {
  const { store, limits, reply } = params;
  const rounds = store.rounds();
  const progress = restoreProgress(params, rounds);
  const end = (how: End): LoopEnd => ({ ...gathered(progress), ...how });
  let iteration = store.iteration();

  // The last life may have died between an answer and the results of its calls, or before it handled the last result.
  const left = rounds.at(-1);
  const endLeft = left && (await answerCalls(params, progress, left, iteration - 1));
  if (endLeft) return end(endLeft);
  for (; iteration < limits.maxIterations; iteration++) {
    const step = await runStep(params, progress, iteration);
    if (step.kind !== "calls") return end(step);
    const endOfCalls = await answerCalls(params, progress, step.round, iteration);
    if (endOfCalls) return end(endOfCalls);
    reply.show({ text: progress.said.text(), line: null });
  }
  return end(ended({ kind: "iteration_limit" }));
}

const ended = (ending: Ending, answer: ModelAnswer | null = null): End => ({ kind: "ended", ending, answer });

function gathered(progress: LoopProgress): Gathered {
  const { said, thoughtLog, hiddenNotices, unstoredUsage } = progress;
  return {
    unstoredUsage,
    thoughtLog,
    hiddenNotices,
    text: said.text(),
    finalText: said.finalText(),
    detailsText: said.detailsText(),
  };
}

/** Whether this is the last of several steps. No tool may be called in it, so that a turn that reaches its limit still gets an answer. */
const isLastStep = ({ limits }: ToolLoopParams, iteration: number): boolean =>
  iteration === limits.maxIterations - 1 && limits.maxIterations > 1;

/** Makes one request to the model and decides its outcome. A complete answer with calls is stored here, once. */
async function runStep(
  params: ToolLoopParams,
  progress: LoopProgress,
  iteration: number,
): Promise<End | { kind: "calls"; round: StoredRound }> {
  const { store } = params;
  const { said } = progress;
  const before = findAbort(params);
  if (before) return { kind: "aborted", abort: before };
  const refusal = await params.refuseCall();
  const meanwhile = findAbort(params);
  if (meanwhile) return { kind: "aborted", abort: meanwhile };
  if (refusal) return ended(refusal);
  const isLast = isLastStep(params, iteration);
  const begun = beginCall(params, iteration, isLast);
  if (!begun) return SUPERSEDED;
  if (iteration >= SOFT_WARN_ITERATION_THRESHOLD && !progress.isWarningDue) {
    progress.isWarningDue = true;
    params.onDue();
  }
  const { result, usage, call } = await askModel(params, begun, said.stream);
  progress.unstoredUsage = usage;
  progress.thoughtLog = result.thoughtLog || progress.thoughtLog;
  const after = findAbort(params);
  if (after) return { kind: "aborted", abort: after };
  switch (result.status) {
    case "stopped_by_user":
    case "follow_up_interrupt":
      return { kind: "aborted", abort: result.stopReason };
    case "timeout":
      return result.stopReason ? { kind: "aborted", abort: result.stopReason } : ended({ kind: "model_silent" });
    case "error": {
      const { reason, retryAfterMs } = result.data;
      return ended({ kind: "model_failed", reason, ...(retryAfterMs && { resetsAt: params.clock() + retryAfterMs }) });
    }
    case "empty_response":
      if (!store.modelSaidNothing(usage, progress.thoughtLog)) return SUPERSEDED;
      progress.unstoredUsage = null;
      return ended({ kind: progress.hasDelivered ? "completed" : "empty" });
    case "completed":
      said.keep(result.detailsContent);
      // The answer's usage is stored by the write that ends the turn.
      progress.unstoredUsage = null;
      return ended(isLast ? { kind: "iteration_limit" } : completed(result), buildAnswer(result, usage, call));
    case "function_call": {
      const answer = withResolvedNames(params, buildAnswer(result, usage, call));
      const calls = store.modelAnswered(answer, progress.thoughtLog);
      if (!calls) return SUPERSEDED;
      progress.unstoredUsage = null;
      said.keep(result.detailsContent);
      return { kind: "calls", round: { ...answer, calls: calls.map((placed) => ({ placed, result: null })) } };
    }
  }
}

const completed = ({ finishReason }: { finishReason: FinishReason }): Ending =>
  finishReason === "length" ? { kind: "completed", cut: true } : { kind: "completed" };

const SUPERSEDED: End = { kind: "aborted", abort: { kind: "superseded" } };

/**
 * Answers the open calls of one answer, a batch at a time: calls that only read run together, any other runs alone, and results are in the order
 * of the calls. Once a call has decided the ending, later calls are answered without running, so that every call has a result.
 */
async function answerCalls(
  params: ToolLoopParams,
  progress: LoopProgress,
  round: StoredRound,
  iteration: number,
): Promise<End | null> {
  // This answer is the turn's newest, so the count ends with its calls.
  const callsBefore = params.store.toolCalls() - round.calls.length;
  const wasOfferedNone = isLastStep(params, iteration) || callsBefore >= MAX_CALLS_PER_TURN;
  let verdict = takeStored(params, progress, round, wasOfferedNone ? NONE_OFFERED : UNDECIDED);
  const open = round.calls.flatMap((stored) => (stored && stored.result === null ? [stored.placed] : []));
  const showLine = (line: string) => {
    if (params.shouldSurfaceUserErrors) params.reply.show({ text: progress.said.text(), line });
  };
  const isFree = ({ call }: NumberedCall) => {
    const tool = params.runtime.toolFor(call.name);
    return !tool || runsTogether(tool);
  };
  for (const batch of splitIntoBatches(open, isFree)) {
    const abort = findAbort(params);
    const unfit = abort ? aborted(abort, params) : malformed(params, batch, iteration);
    if (unfit) return endAfterAbort(unfit);
    const prepared = batch.map((placed): Prepared => {
      const isPastLimit = callsBefore + placed.position >= MAX_CALLS_PER_TURN;
      const refusal = verdict.refusal ?? (isPastLimit ? TOO_MANY_IN_TURN : null);
      return refusal ? { placed, tool: null, result: refusal } : prepareCall(params, placed, progress.past);
    });
    const names = prepared.flatMap(({ placed, result }) => (result ? [] : [placed.call.name]));
    if (names.length > 0) showLine(say.usingTool(names.join(", "), params.clock()));
    for (const outcome of await executeToolCalls(params, prepared, iteration)) {
      switch (outcome.kind) {
        case "abort":
          return endAfterAbort(outcome);
        case "park":
          return { kind: "parked", asked: outcome.asked };
        case "restart":
          verdict = takeRestart(progress, outcome, verdict);
          break;
        case "history":
          if (outcome.status === "denied") showLine(say.thinking);
          verdict = takeCall(params, progress, outcome, round, verdict);
          break;
      }
    }
  }
  return verdict.ending && ended(verdict.ending);
}

/** Ends the run after calls that were not answered. A call without a tool name makes the answer broken, which is the model's own failure. */
function endAfterAbort(outcome: CallAbort): End {
  if (outcome.status === "error") return ended({ kind: "model_failed", reason: "bad_stream" });
  return { kind: "aborted", abort: outcome.abort };
}

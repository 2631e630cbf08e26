// The loop of model ⇄ tools within its limits. All that matters is stored at each step's edge, so a life that takes the
// turn over enters here as well and goes on where the last one stopped.
import type { Ending } from "../core/failure.ts";
import { SOFT_WARN_ITERATION_THRESHOLD } from "../core/limits.ts";
import { say } from "../core/outcome.ts";
import { abortOf, executeToolCall } from "./execute-tool-call.ts";
import type { PlacedCall, TurnAbort } from "./ports.ts";
import { requestOf } from "./prompt.ts";
import { type StreamResult, streamOnce } from "./stream-once.ts";
import type { TurnParams } from "./turn-params.ts";

/** How the loop ended and what the person is to read: every text that was streamed, in order. */
export type LoopEnd =
  | { kind: "ended"; ending: Ending; text: string }
  | { kind: "aborted"; abort: TurnAbort; text: string };

/** Runs the turn's passes until an answer, an abort or a limit. */
export async function runToolLoop(params: TurnParams): Promise<LoopEnd> {
  const { store, limits } = params;
  const said = createSaid(params);
  const ended = (ending: Ending): LoopEnd => ({ kind: "ended", ending, text: said.text() });
  const aborted = (abort: TurnAbort): LoopEnd => ({ kind: "aborted", abort, text: said.text() });
  let consecutiveToolErrors = 0;
  let leftOpen = store.openCalls();

  for (let iteration = store.iteration(); iteration < limits.maxIterations; iteration++) {
    const isLast = iteration === limits.maxIterations - 1 && limits.maxIterations > 1;
    let calls = leftOpen;
    let truncated = false;
    leftOpen = [];
    if (calls.length === 0) {
      const abort = abortOf(params);
      if (abort) return aborted(abort);
      if (!store.modelCallStarted(iteration)) return aborted({ kind: "superseded" });
      if (iteration >= SOFT_WARN_ITERATION_THRESHOLD) params.onDue();
      const pass = await streamOnce({ ...params, onText: said.stream }, requestOf(params, isLast));
      const stopped = abortOf(params);
      if (stopped) return aborted(stopped);
      switch (pass.status) {
        case "stopped":
          return aborted(pass.abort);
        case "error":
          return ended({ kind: "model_failed", reason: pass.failure.reason });
        case "timeout":
          return ended({ kind: "model_silent" });
        case "empty_response":
          return ended({ kind: "empty" });
        case "completed":
          if (!answered(params, pass, { kind: isLast ? "iteration_limit" : "completed" }))
            return aborted({ kind: "superseded" });
          said.keep();
          return ended({ kind: isLast ? "iteration_limit" : "completed" });
        case "function_call": {
          const placed = answered(params, pass, null);
          if (!placed) return aborted({ kind: "superseded" });
          said.keep();
          calls = placed;
          truncated = pass.truncated;
        }
      }
    }
    for (const placed of calls) {
      params.reply.show({ text: said.text(), line: say.usingTool(placed.call.name) });
      const outcome = isLast ? withdrawn(params, placed) : await executeToolCall(params, placed, truncated);
      if (outcome.kind === "abort") return aborted(outcome.abort);
      consecutiveToolErrors = outcome.success ? 0 : consecutiveToolErrors + 1;
      if (consecutiveToolErrors >= limits.maxConsecutiveToolErrors) return ended({ kind: "tool_errors" });
      if (outcome.endTurn) return ended({ kind: "completed" });
    }
    params.reply.show({ text: said.text(), line: null });
  }
  return ended({ kind: "iteration_limit" });
}

function answered(
  { store, model }: TurnParams,
  pass: Extract<StreamResult, { status: "completed" | "function_call" }>,
  ending: Ending | null,
): PlacedCall[] | null {
  const calls = pass.status === "function_call" ? pass.calls : [];
  return store.modelAnswered({ text: pass.text, calls, usage: pass.usage, model: model.name, ending });
}

/** A call that a model makes although the last pass offered no tools: it never runs. */
function withdrawn({ store }: TurnParams, placed: PlacedCall) {
  const kept = store.toolSettled(placed, {
    ok: false,
    status: "error",
    error: "no tool is offered any more in this turn",
  });
  return kept
    ? ({ kind: "history", success: false, endTurn: false } as const)
    : ({ kind: "abort", abort: { kind: "superseded" } } as const);
}

/** The visible text: what earlier passes said and, below it, what the present one streams. */
function createSaid({ store, reply }: TurnParams) {
  const kept = store.conversation().current.flatMap((message) => (message.role === "assistant" ? [message.text] : []));
  let streaming = "";
  const text = () => [...kept, streaming].filter((piece) => piece.trim() !== "").join("\n\n");
  return {
    text,
    stream: (soFar: string) => {
      streaming = soFar;
      reply.show({ text: text(), line: null });
    },
    keep: () => {
      kept.push(streaming);
      streaming = "";
    },
  };
}

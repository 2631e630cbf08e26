// The loop of model ⇄ tools within its limits. All that matters is stored at each step's edge, so a life that takes the
// turn over enters here as well and goes on where the last one stopped.
import type { Ending } from "../core/failure.ts";
import { SOFT_WARN_ITERATION_THRESHOLD } from "../core/limits.ts";
import { say } from "../core/outcome.ts";
import { abortOf, type CallOutcome, executeToolCall } from "./execute-tool-call.ts";
import type { ModelAnswer, PlacedCall, TurnAbort } from "./ports.ts";
import { requestOf } from "./prompt.ts";
import { type StreamResult, streamOnce } from "./stream-once.ts";
import type { TurnParams } from "./turn-params.ts";

/** How the loop ended and what the person is to read: every text that was streamed, in order. */
export type LoopEnd =
  | { kind: "ended"; ending: Ending; text: string; answer: ModelAnswer | null }
  | { kind: "aborted"; abort: TurnAbort; text: string };

/** One pass: the calls that it asks for, or the end of the turn. */
type Pass = { kind: "calls"; calls: PlacedCall[]; truncated: boolean } | { kind: "over"; end: LoopEnd };

/** Runs the turn's passes until an answer, an abort or a limit. */
export async function runToolLoop(params: TurnParams): Promise<LoopEnd> {
  const { store, limits, reply } = params;
  const said = createSaid(params);
  const ended = (ending: Ending): LoopEnd => ({ kind: "ended", ending, text: said.text(), answer: null });
  let consecutiveToolErrors = 0;
  let leftOpen = store.openCalls();

  for (let iteration = store.iteration(); iteration < limits.maxIterations; iteration++) {
    const isLast = iteration === limits.maxIterations - 1 && limits.maxIterations > 1;
    const pass: Pass =
      leftOpen.length > 0
        ? { kind: "calls", calls: leftOpen, truncated: false }
        : await onePass(params, said, iteration, isLast);
    leftOpen = [];
    if (pass.kind === "over") return pass.end;
    for (const placed of pass.calls) {
      reply.show({ text: said.text(), line: say.usingTool(placed.call.name) });
      const outcome = isLast ? withdrawn(params, placed) : await executeToolCall(params, placed, pass.truncated);
      if (outcome.kind === "abort") return { kind: "aborted", abort: outcome.abort, text: said.text() };
      consecutiveToolErrors = outcome.success ? 0 : consecutiveToolErrors + 1;
      if (consecutiveToolErrors >= limits.maxConsecutiveToolErrors) return ended({ kind: "tool_errors" });
      if (outcome.endTurn) return ended({ kind: "completed" });
    }
    reply.show({ text: said.text(), line: null });
  }
  return ended({ kind: "iteration_limit" });
}

async function onePass(params: TurnParams, said: Said, iteration: number, isLast: boolean): Promise<Pass> {
  const { store, model } = params;
  const over = (ending: Ending, answer: ModelAnswer | null = null): Pass => ({
    kind: "over",
    end: { kind: "ended", ending, text: said.text(), answer },
  });
  const aborted = (abort: TurnAbort): Pass => ({ kind: "over", end: { kind: "aborted", abort, text: said.text() } });
  const before = abortOf(params);
  if (before) return aborted(before);
  if (!store.modelCallStarted(iteration)) return aborted({ kind: "superseded" });
  if (iteration >= SOFT_WARN_ITERATION_THRESHOLD) params.onDue();
  const pass = await streamOnce({ ...params, onText: said.stream }, requestOf(params, isLast));
  const after = abortOf(params);
  if (after) return aborted(after);
  switch (pass.status) {
    case "stopped":
      return aborted(pass.abort);
    case "error":
      return over({ kind: "model_failed", reason: pass.failure.reason });
    case "timeout":
      return over({ kind: "model_silent" });
    case "empty_response":
      return over({ kind: "empty" });
    case "completed":
      return over({ kind: isLast ? "iteration_limit" : "completed" }, answerOf(pass, model.name));
    case "function_call": {
      const calls = store.modelAnswered(answerOf(pass, model.name));
      if (!calls) return aborted({ kind: "superseded" });
      said.keep();
      return { kind: "calls", calls, truncated: pass.truncated };
    }
  }
}

function answerOf(pass: Extract<StreamResult, { status: "completed" | "function_call" }>, model: string): ModelAnswer {
  return { text: pass.text, calls: pass.status === "function_call" ? pass.calls : [], usage: pass.usage, model };
}

/** A call that a model makes although the last pass offered no tools: it never runs. */
function withdrawn({ store }: TurnParams, placed: PlacedCall): CallOutcome {
  const result = { ok: false, status: "error", error: "no tool is offered any more in this turn" } as const;
  if (!store.toolSettled(placed, result)) return { kind: "abort", abort: { kind: "superseded" } };
  return { kind: "history", success: false, endTurn: false };
}

/** The visible text: what earlier passes said and, below it, what the present one streams. */
interface Said {
  text: () => string;
  stream: (soFar: string) => void;
  keep: () => void;
}

function createSaid({ store, reply }: TurnParams): Said {
  const kept = store.conversation().current.flatMap((message) => (message.role === "assistant" ? [message.text] : []));
  let streaming = "";
  const text = () => [...kept, streaming].filter((piece) => piece.trim() !== "").join("\n\n");
  return {
    text,
    stream: (soFar) => {
      streaming = soFar;
      reply.show({ text: text(), line: null });
    },
    keep: () => {
      kept.push(streaming);
      streaming = "";
    },
  };
}

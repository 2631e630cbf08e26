// One turn from its first model call to its ending. Catches what the loop can't foresee, once, here: the turn then ends like
// any other, with one honest line and a free lock.
import type { Ending } from "../core/failure.ts";
import type { StopFlag, TurnStatus } from "../core/record.ts";
import type { ModelAnswer, TurnAbort } from "./ports.ts";
import { type LoopEnd, runToolLoop } from "./tool-loop.ts";
import type { TurnParams } from "./turn-params.ts";

/**
 * How a turn ended and what the person is to read, without the closing line. `answer` is the last pass, if it was complete.
 * `superseded`: another life owns the turn, and this one says and writes nothing more.
 */
export type TurnResult =
  | { kind: "ended"; ending: Ending; text: string; answer: ModelAnswer | null }
  | { kind: "superseded" };

/** Runs a turn. Never throws, shows no ending and frees no lock: its caller stores the ending first. */
export async function runGenerationTurn(params: TurnParams): Promise<TurnResult> {
  const end = await loopOrCrash(params);
  if (end.kind === "ended") return end;
  const final = finalOfAbort(params, end.abort, end.text);
  return final ? { kind: "ended", ...final, answer: null } : { kind: "superseded" };
}

async function loopOrCrash(params: TurnParams): Promise<LoopEnd> {
  try {
    return await runToolLoop(params);
  } catch (error) {
    params.log.error("turn crashed", {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return { kind: "ended", ending: { kind: "crashed" }, text: params.reply.postedText(), answer: null };
  }
}

function finalOfAbort(params: TurnParams, abort: TurnAbort, text: string): { ending: Ending; text: string } | null {
  switch (abort.kind) {
    case "superseded":
      return null;
    case "deadline":
      return { ending: { kind: "turn_deadline" }, text };
    case "gone":
      return { ending: { kind: "completed" }, text: params.reply.postedText() };
    case "flagged": {
      const flag = params.store.stopFlag();
      return flag ? finalOfStop(flag, text, params.reply.postedText()) : null;
    }
  }
}

/** A stop delivers what was not yet sent; a kill and a follow-up leave what was posted. */
export function finalOfStop(flag: StopFlag, text: string, posted: string): { ending: Ending; text: string } {
  if (flag.kind === "follow_up") return { ending: { kind: "follow_up" }, text: posted };
  return { ending: { kind: "stopped", by: flag.by }, text: flag.kind === "kill" ? posted : text };
}

/** The status that an ending is counted as. */
export function statusOf(ending: Ending): TurnStatus {
  switch (ending.kind) {
    case "completed":
      return "completed";
    case "stopped":
    case "taken_back":
      return "stopped_by_user";
    case "follow_up":
      return "follow_up_interrupt";
    case "model_silent":
    case "turn_deadline":
    case "iteration_limit":
      return "timeout";
    case "empty":
      return "empty_response";
    case "model_failed":
    case "tool_errors":
    case "interrupted":
    case "crashed":
      return "error";
    case "cleared":
    case "superseded":
    case "steered":
      return ending.kind;
  }
}

// One turn from its first model call to the last word in Discord. Catches what the loop can't foresee, once, here: the
// person then reads one honest line and the lock is released like after any other ending.
import type { Ending } from "../core/failure.ts";
import { endingNotice } from "../core/outcome.ts";
import type { StopFlag, TurnStatus } from "../core/record.ts";
import type { Delivered, TurnAbort } from "./ports.ts";
import { type LoopEnd, runToolLoop } from "./tool-loop.ts";
import type { TurnParams } from "./turn-params.ts";

/** How a turn ended. `text` is what the person reads, without the notice; null status: another life owns it, say nothing. */
export type TurnResult = { status: TurnStatus; ending: Ending; text: string; delivered: Delivered } | { status: null };

/** Runs a turn and shows its ending. Never throws. */
export async function runGenerationTurn(params: TurnParams): Promise<TurnResult> {
  const end = await loopOrCrash(params);
  const final =
    end.kind === "ended" ? { ending: end.ending, text: end.text } : finalOfAbort(params, end.abort, end.text);
  if (final === "silent") {
    params.reply.abandon();
    return { status: null };
  }
  return finishTurn(params, final.ending, final.text);
}

/** Shows an ending that is decided already; also the way of a recovered turn that may not go on. */
export async function finishTurn(
  params: Pick<TurnParams, "store" | "reply">,
  ending: Ending,
  text: string,
): Promise<TurnResult> {
  if (!params.store.finishing(ending, text)) {
    params.reply.abandon();
    return { status: null };
  }
  const delivered = await params.reply.finish({ text, line: endingNotice(ending) });
  return { status: statusOf(ending), ending, text, delivered };
}

async function loopOrCrash(params: TurnParams): Promise<LoopEnd> {
  try {
    return await runToolLoop(params);
  } catch (error) {
    params.log.error("turn crashed", {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return { kind: "ended", ending: { kind: "crashed" }, text: params.reply.postedText() };
  }
}

function finalOfAbort(params: TurnParams, abort: TurnAbort, text: string): { ending: Ending; text: string } | "silent" {
  switch (abort.kind) {
    case "superseded":
      return "silent";
    case "deadline":
      return { ending: { kind: "turn_deadline" }, text };
    case "gone":
      return { ending: { kind: "completed" }, text: params.reply.postedText() };
    case "flagged": {
      const flag = params.store.stopFlag();
      return flag ? finalOfStop(flag, text, params.reply.postedText()) : "silent";
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
    case "taken_back":
      return "stopped_by_user";
  }
}

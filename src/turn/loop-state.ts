// What a run of the loop gathers, and what of it decides how it ends. It can be rebuilt from the stored answers and
// results alone, so a run that a new life takes over ends exactly where it would have ended.
import type { Ending } from "../core/state/ending.ts";
import { judgeRepetition, type PastCall } from "../core/transcript/loop-detector.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import {
  buildHistory,
  type CallHistory,
  type CallRestart,
  callFingerprint,
  type ToolHistoryEntry,
} from "./execute-tool-call.ts";
import type { HiddenNotice } from "./hidden-notice.ts";
import type { StoredRound } from "./ports.ts";
import { AFTER_THE_END, isRepeatedCall } from "./refusals.ts";
import { createSaid, type Said } from "./said.ts";
import type { StreamResult } from "./stream-once.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** What a run has gathered, however it ended. */
export interface LoopState {
  streamResults: StreamResult[];
  functionHistory: ToolHistoryEntry[];
  /** All that was streamed, in order: what the reply shows. */
  text: string;
  /** The texts of the passes that were complete. */
  finalText: string;
  detailsText: string;
  /** The newest pass that had thoughts has the word. */
  thoughtLog: string;
  hiddenNotices: HiddenNotice[];
}

/** The state of a run under way. */
export interface LoopProgress {
  said: Said;
  streamResults: StreamResult[];
  functionHistory: ToolHistoryEntry[];
  thoughtLog: string;
  hiddenNotices: HiddenNotice[];
  /** For the loop detector. */
  past: PastCall[];
  consecutiveToolErrors: number;
  /** A tool has put something before the person by itself. */
  hasDelivered: boolean;
}

/** How the rest of an answer's calls fare. */
export interface Verdict {
  /** The run ends this way, after the answer's last call. */
  ending: Ending | null;
  /** Stands in for every call that is still to come in this answer. */
  refusal: ToolResult | null;
}

/** The run as its stored answers leave it, without the last one, which may still have open calls. */
export function restoreProgress(params: ToolLoopParams, rounds: readonly StoredRound[]): LoopProgress {
  const progress: LoopProgress = {
    said: createSaid(rounds, params.reply),
    streamResults: [],
    functionHistory: [],
    thoughtLog: "",
    hiddenNotices: [],
    past: [],
    consecutiveToolErrors: 0,
    hasDelivered: false,
  };
  for (const round of rounds.slice(0, -1)) takeStored(params, progress, round, { ending: null, refusal: null });
  return progress;
}

/** Takes in the results of a stored answer's calls, as the loop did when they came. */
export function takeStored(
  params: ToolLoopParams,
  progress: LoopProgress,
  round: StoredRound,
  verdict: Verdict,
): Verdict {
  return round.calls.reduce((before, stored) => {
    // What its tool was, and who exposed it, went with the call.
    if (stored === null) return takeRestart(progress, { kind: "restart", notices: [] }, before);
    const { placed, result } = stored;
    if (result === null) return before;
    const tool = params.runtime.toolFor(placed.call.name);
    return takeCall(params, progress, buildHistory(params, { placed, tool }, result, round.text), round.text, before);
  }, verdict);
}

/** A call that enriched the context is no failure and no history. */
export function takeRestart(progress: LoopProgress, { notices }: CallRestart, verdict: Verdict): Verdict {
  progress.hiddenNotices.push(...notices);
  progress.consecutiveToolErrors = 0;
  return verdict;
}

/** Takes in one answered call. The first that decides the end keeps it, but for the pre-tool exit, which all others beat. */
export function takeCall(
  params: ToolLoopParams,
  progress: LoopProgress,
  call: CallHistory,
  preToolText: string,
  verdict: Verdict,
): Verdict {
  const { functionCall, functionResponse } = call.historyEntry;
  const { result } = functionResponse.response;
  const fingerprint = callFingerprint(functionCall);
  const repetition = judgeRepetition(progress.past, fingerprint);
  progress.functionHistory.push(call.historyEntry);
  progress.hiddenNotices.push(...call.notices);
  progress.past.push({ fingerprint, result: JSON.stringify(result), refused: isRepeatedCall(result) });
  progress.hasDelivered ||= call.success && hasDelivered(result);
  // Its fate was decided before it came, so it decides nothing.
  if (verdict.refusal) return verdict;
  progress.consecutiveToolErrors = call.success ? 0 : progress.consecutiveToolErrors + 1;
  if (isRepeatedCall(result) && repetition === "end") return over({ kind: "call_loop", tool: call.functionName });
  if (progress.consecutiveToolErrors >= params.limits.maxConsecutiveToolErrors) return over({ kind: "tool_errors" });
  if (call.endTurn) return over({ kind: "completed" });
  if (call.success && shouldEndAfterPreToolText(params, call.functionName, preToolText))
    return { ending: { kind: "completed" }, refusal: null };
  return verdict;
}

const over = (ending: Ending): Verdict => ({ ending, refusal: AFTER_THE_END });

/** By its own word: its result says that it has answered the person itself. */
function hasDelivered(result: unknown): boolean {
  return (result as { responseDelivered?: unknown } | null)?.responseDelivered === true;
}

function shouldEndAfterPreToolText({ model, runtime }: ToolLoopParams, toolName: string, text: string): boolean {
  if (text.trim() === "") return false;
  return model.endsTurnAfterText === true || runtime.toolFor(toolName)?.endsTurnAfterText === true;
}

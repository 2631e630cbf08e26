// What an attempt gathers while it runs, and what of it decides over its end. It can be rebuilt from the stored answers and
// results alone, so an attempt that a new life takes over ends exactly where it would have ended.
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

/** What an attempt has gathered, however it ended. */
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

/** The state of an attempt under way. */
export interface Attempt {
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
  /** The attempt is to end so, after the answer's last call. */
  ending: Ending | null;
  /** Stands in for every call that is still to come in this answer. */
  refusal: ToolResult | null;
}

/** After these tools a turn whose answer was spoken before the call is over. */
const TOOLS_SUPPRESS_FOLLOWUP_AFTER_PRETOOL_TEXT = new Set(["update_short_term_memory"]);

/** The attempt as its stored answers leave it, without the last one, which may still have open calls. */
export function attemptFrom(params: ToolLoopParams, rounds: readonly StoredRound[]): Attempt {
  const attempt: Attempt = {
    said: createSaid(rounds, params.reply),
    streamResults: [],
    functionHistory: [],
    thoughtLog: "",
    hiddenNotices: [],
    past: [],
    consecutiveToolErrors: 0,
    hasDelivered: false,
  };
  for (const round of rounds.slice(0, -1)) takeStored(params, attempt, round, { ending: null, refusal: null });
  return attempt;
}

/** Takes in the results of a stored answer's calls, as the loop did when they came. */
export function takeStored(params: ToolLoopParams, attempt: Attempt, round: StoredRound, verdict: Verdict): Verdict {
  return round.calls.reduce((before, stored) => {
    // What its tool was, and who exposed it, went with the call.
    if (stored === null) return takeRestart(attempt, { kind: "restart", notices: [] }, before);
    const { placed, result } = stored;
    if (result === null) return before;
    const tool = params.runtime.toolFor(placed.call.name);
    return takeCall(params, attempt, buildHistory(params, { placed, tool }, result, round.text), round.text, before);
  }, verdict);
}

/** A call that enriched the context is no failure and no history. */
export function takeRestart(attempt: Attempt, { notices }: CallRestart, verdict: Verdict): Verdict {
  attempt.hiddenNotices.push(...notices);
  attempt.consecutiveToolErrors = 0;
  return verdict;
}

/** Takes in one answered call. The first that decides the end keeps it, but for the pre-tool exit, which all others beat. */
export function takeCall(
  params: ToolLoopParams,
  attempt: Attempt,
  call: CallHistory,
  preToolText: string,
  verdict: Verdict,
): Verdict {
  const { functionCall, functionResponse } = call.historyEntry;
  const { result } = functionResponse.response;
  const fingerprint = callFingerprint(functionCall);
  const repetition = judgeRepetition(attempt.past, fingerprint);
  attempt.functionHistory.push(call.historyEntry);
  attempt.hiddenNotices.push(...call.notices);
  attempt.past.push({ fingerprint, result: JSON.stringify(result), refused: isRepeatedCall(result) });
  attempt.hasDelivered ||= call.success && hasDelivered(result);
  // Its fate was decided before it came, so it decides nothing.
  if (verdict.refusal) return verdict;
  attempt.consecutiveToolErrors = call.success ? 0 : attempt.consecutiveToolErrors + 1;
  if (isRepeatedCall(result) && repetition === "end") return over({ kind: "call_loop", tool: call.functionName });
  if (attempt.consecutiveToolErrors >= params.limits.maxConsecutiveToolErrors) return over({ kind: "tool_errors" });
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

function shouldEndAfterPreToolText({ model }: ToolLoopParams, toolName: string, text: string): boolean {
  if (text.trim() === "") return false;
  return model.family === "novelai" || TOOLS_SUPPRESS_FOLLOWUP_AFTER_PRETOOL_TEXT.has(toolName);
}

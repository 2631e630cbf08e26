// The state of one run of the loop, and the rules by which it decides how the run ends. It can be rebuilt from the stored answers and
// results alone, so a run that a new life takes over ends exactly as it would have ended.
import type { Ending } from "../core/state/ending.ts";
import { judgeRepetition, type PastCall } from "../core/transcript/loop-detector.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import { buildHistory, type CallHistory, type CallRestart, callFingerprint } from "./execute-tool-call.ts";
import type { HiddenNotice } from "./hidden-notice.ts";
import type { StoredRound, TokenUsage } from "./ports.ts";
import { AFTER_THE_END, isPastTurnLimit, isRepeatedCall, NONE_LEFT } from "./refusals.ts";
import { createSaid, type Said } from "./said.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/** What a run has gathered, however it ended. */
export interface Gathered {
  /** All streamed text, in order: what the reply shows. */
  text: string;
  /** The texts of the complete steps. */
  finalText: string;
  detailsText: string;
  /** From the newest step that had thoughts. */
  thoughtLog: string;
  hiddenNotices: HiddenNotice[];
  /** The tokens of the last step if it was stopped or failed: no write has counted them yet. */
  unstoredUsage: TokenUsage | null;
}

/** The state of an unfinished run. */
export interface LoopProgress {
  said: Said;
  thoughtLog: string;
  hiddenNotices: HiddenNotice[];
  unstoredUsage: TokenUsage | null;
  /** The calls so far, for the loop detector. */
  past: PastCall[];
  consecutiveToolErrors: number;
  /** A tool has already answered the person, or attached a file to the reply. */
  hasDelivered: boolean;
  /** The alarm has been set for the warning that the turn is taking long. */
  isWarningDue: boolean;
}

/** What happens to the remaining calls of an answer. */
export interface Verdict {
  /** How the run ends after the answer's last call; null: it continues. */
  ending: Ending | null;
  /** The result that every remaining call of this answer gets instead of running; null: they run. */
  refusal: ToolResult | null;
}

/** The answer's calls run. */
export const UNDECIDED: Verdict = { ending: null, refusal: null };

/** The model was asked to answer without tools: this answer is the last one, and its calls don't run. */
export const NONE_OFFERED: Verdict = { ending: { kind: "iteration_limit" }, refusal: NONE_LEFT };

/** Rebuilds the run from its stored answers, except the last one, which may still have open calls. */
export function restoreProgress(params: ToolLoopParams, rounds: readonly StoredRound[]): LoopProgress {
  const progress: LoopProgress = {
    said: createSaid(rounds, params.reply),
    thoughtLog: params.store.thoughts(),
    hiddenNotices: [],
    unstoredUsage: null,
    past: [],
    consecutiveToolErrors: 0,
    hasDelivered: false,
    isWarningDue: false,
  };
  for (const round of rounds.slice(0, -1)) takeStored(params, progress, round, UNDECIDED);
  return progress;
}

/** Adds the results of a stored answer's calls, as the loop did when they arrived. */
export function takeStored(
  params: ToolLoopParams,
  progress: LoopProgress,
  round: StoredRound,
  verdict: Verdict,
): Verdict {
  return round.calls.reduce((before, stored) => {
    // The call was removed, so its tool and what exposed it are unknown.
    if (stored === null) return takeRestart(progress, { kind: "restart", notices: [] }, before);
    const { placed, result } = stored;
    if (result === null) return before;
    const tool = params.runtime.toolFor(placed.call.name);
    return takeCall(params, progress, buildHistory(params, { placed, tool }, result), round, before);
  }, verdict);
}

/** Adds a call that enriched the context: it is not a failure, and it does not enter the history. */
export function takeRestart(progress: LoopProgress, { notices }: CallRestart, verdict: Verdict): Verdict {
  progress.hiddenNotices.push(...notices);
  progress.consecutiveToolErrors = 0;
  return verdict;
}

/** Adds one answered call. The first call that decides the ending wins, except that every other ending beats the exit after pre-tool text. */
export function takeCall(
  params: ToolLoopParams,
  progress: LoopProgress,
  history: CallHistory,
  answer: StoredRound,
  verdict: Verdict,
): Verdict {
  const { call, response } = history;
  const fingerprint = callFingerprint(call);
  const repetition = judgeRepetition(progress.past, fingerprint);
  progress.hiddenNotices.push(...history.notices);
  progress.past.push({ fingerprint, result: JSON.stringify(response), refused: isRepeatedCall(response) });
  progress.hasDelivered ||= history.delivered;
  // An earlier call or the turn's limit refused this one, so it has no influence on the ending.
  if (verdict.refusal || isPastTurnLimit(response)) return verdict;
  progress.consecutiveToolErrors = history.success ? 0 : progress.consecutiveToolErrors + 1;
  if (isRepeatedCall(response) && repetition === "end") return endWith({ kind: "call_loop", tool: call.name });
  if (progress.consecutiveToolErrors >= params.limits.maxConsecutiveToolErrors) return endWith({ kind: "tool_errors" });
  if (history.endTurn) return endWith({ kind: "completed" });
  if (history.success && shouldEndAfterPreToolText(params, answer))
    return { ending: { kind: "completed" }, refusal: null };
  return verdict;
}

const endWith = (ending: Ending): Verdict => ({ ending, refusal: AFTER_THE_END });

/**
 * Whether the turn may end because the model wrote its text before the calls. Another tool's result, or a failure that the text does not know
 * about, still has to be read by the model.
 */
function shouldEndAfterPreToolText({ model, runtime }: ToolLoopParams, { text, calls }: StoredRound): boolean {
  if (text.trim() === "") return false;
  const ends = (name: string) => runtime.toolFor(name)?.endsTurnAfterText === true;
  return model.endsTurnAfterText === true || calls.every((stored) => stored !== null && ends(stored.placed.call.name));
}

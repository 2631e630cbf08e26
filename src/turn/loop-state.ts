// The state of a run of the loop, and which part of it decides how the run ends. It can be rebuilt from the stored
// answers and results alone, so a run that a new life takes over ends exactly as it would have ended.
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
  /** The tokens of the last step, when it was stopped or failed: no write has counted them yet. */
  unstoredUsage: TokenUsage | null;
}

/** The state of an unfinished run. */
export interface LoopProgress {
  said: Said;
  thoughtLog: string;
  hiddenNotices: HiddenNotice[];
  unstoredUsage: TokenUsage | null;
  /** For the loop detector. */
  past: PastCall[];
  consecutiveToolErrors: number;
  /** A tool has already answered the person, or attached a file to the reply. */
  hasDelivered: boolean;
  /** The alarm was set for the warning that the turn takes long. */
  isWarningDue: boolean;
}

/** What happens to the rest of an answer's calls. */
export interface Verdict {
  /** The run ends this way, after the answer's last call. */
  ending: Ending | null;
  /** The result of every remaining call of this answer. */
  refusal: ToolResult | null;
}

/** The calls of an answer run. */
export const UNDECIDED: Verdict = { ending: null, refusal: null };

/** The answer was to do without tools: it is the last one, and its calls don't run. */
export const NONE_OFFERED: Verdict = { ending: { kind: "iteration_limit" }, refusal: NONE_LEFT };

/** Rebuilds the run from its stored answers, without the last one, which may still have open calls. */
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
    // The call is gone, and with it its tool and what exposed it.
    if (stored === null) return takeRestart(progress, { kind: "restart", notices: [] }, before);
    const { placed, result } = stored;
    if (result === null) return before;
    const tool = params.runtime.toolFor(placed.call.name);
    return takeCall(params, progress, buildHistory(params, { placed, tool }, result), round, before);
  }, verdict);
}

/** Adds a call that enriched the context: it is no failure and not in the history. */
export function takeRestart(progress: LoopProgress, { notices }: CallRestart, verdict: Verdict): Verdict {
  progress.hiddenNotices.push(...notices);
  progress.consecutiveToolErrors = 0;
  return verdict;
}

/** Adds one answered call. The first call that decides the ending wins, but the pre-tool exit loses to every other ending. */
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
  // An earlier call or the turn's limit refused this one, so it decides nothing.
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

/** Another tool's result, and a failure that the text does not know of, are for the model to read. */
function shouldEndAfterPreToolText({ model, runtime }: ToolLoopParams, { text, calls }: StoredRound): boolean {
  if (text.trim() === "") return false;
  const ends = (name: string) => runtime.toolFor(name)?.endsTurnAfterText === true;
  return model.endsTurnAfterText === true || calls.every((stored) => stored !== null && ends(stored.placed.call.name));
}

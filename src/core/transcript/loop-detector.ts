// Detects a model that repeats the same call. Pure and stateless: it reads the stored calls, so a new life of the object
// continues the count of the last one.

/** A call with its result: tool and arguments as one text, the result as another. */
export interface PastCall {
  fingerprint: string;
  result: string;
  /** It was refused as a repetition, so it did not run. */
  refused: boolean;
}

/** `refuse`: don't run the call, but tell the model why; `end`: the model repeated it anyway, so the turn ends. */
export type LoopVerdict = "run" | "refuse" | "end";

/** After this many runs in a row with the same arguments and result, another run would bring nothing new. */
const EQUAL_RUNS = 2;
/** The turn ends at this identical call in a row, counted from 1. */
const LAST_CALL = 6;

/**
 * Decides about the next call, given this model's calls so far, oldest first. Calls with other arguments in between, or
 * results that change, are work and not a loop.
 */
export function judgeRepetition(past: readonly PastCall[], fingerprint: string): LoopVerdict {
  const lastRun = past.findLast(({ refused }) => !refused);
  const firstOther = past.findLastIndex(
    (call) => call.fingerprint !== fingerprint || (!call.refused && call.result !== lastRun?.result),
  );
  const streak = past.slice(firstOther + 1);
  if (streak.filter(({ refused }) => !refused).length < EQUAL_RUNS) return "run";
  return streak.length + 1 >= LAST_CALL ? "end" : "refuse";
}

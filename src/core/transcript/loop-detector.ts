// Notices a model that makes the same call again and again. Pure, and without a state of its own: it looks at the calls that are
// stored, so a new life of the object goes on counting where the last one stopped.

/** A call that has its result: tool and arguments as one text, the result as another. */
export interface PastCall {
  fingerprint: string;
  result: string;
  /** It was refused for repeating itself, and so did not run. */
  refused: boolean;
}

/** `refuse`: the model is told instead; `end`: it was told and did not listen, so the turn ends. */
export type LoopVerdict = "run" | "refuse" | "end";

/** Runs in a row with the same arguments and result, after which one more would bring nothing new. */
const EQUAL_RUNS = 2;
/** Which identical call in a row is the last one. */
const LAST_CALL = 6;

/**
 * Decides over the next call, given the attempt's calls so far, oldest first. Calls with other arguments in between, or results
 * that change, are work and no loop.
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

// Notices a model that makes the same call again and again. Pure; its state is plain JSON and belongs in the turn's record, so that
// a new life goes on counting. Calls with other arguments or changing results are work, not a loop.

/** The run of equal calls at the turn's end. */
export interface Streak {
  fingerprint: string;
  /** Fingerprint of the last result; null before there is one. */
  result: string | null;
  /** Runs in a row with that result. */
  runs: number;
  /** Calls that were refused after those runs. */
  refusals: number;
}

/** `refuse` tells the model; `end` ends the turn. */
export type LoopVerdict = "run" | "refuse" | "end";

const EQUAL_RUNS = 2;
const LAST_CALL = 6;

/** Decides over the next call, given the streak so far. */
export function judgeRepetition(streak: Streak | null, fingerprint: string): LoopVerdict {
  if (streak?.fingerprint !== fingerprint || streak.runs < EQUAL_RUNS) return "run";
  return streak.runs + streak.refusals + 1 >= LAST_CALL ? "end" : "refuse";
}

/** The streak after a call that ran. */
export function afterRun(streak: Streak | null, fingerprint: string, result: string): Streak {
  const isSame = streak?.fingerprint === fingerprint && streak.result === result;
  return { fingerprint, result, runs: isSame ? streak.runs + 1 : 1, refusals: 0 };
}

/** The streak after a call that was refused for repeating itself. */
export function afterRefusal(streak: Streak): Streak {
  return { ...streak, refusals: streak.refusals + 1 };
}

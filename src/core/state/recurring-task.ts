// Recurring tasks: what is stored in addition to the reminder, what counts as a failure, and which answer is not posted. Pure.
import { onceExpression } from "../once.ts";
import type { Rule } from "../time/occurrence.ts";
import type { Ending } from "./ending.ts";

/** Stored with the reminder. */
export interface RecurringTask {
  rule: Rule;
  /** The rule in the person's words, with its time zone. */
  every: string;
  /** Failures in a row. */
  failures: number;
  /** It does not fire any more until it is set again. */
  isPaused?: true;
  /** When the run was due that is now waiting for Discord to accept the bot's token. */
  heldSince?: number;
}

/** A task pauses itself after this many failures in a row. */
const MAX_TASK_FAILURES = 3;

/** The whole answer of a task that found nothing to report. */
export const NOTHING_TO_REPORT = "NOTHING_TO_REPORT";

/** Punctuation and symbols around the marker don't matter; with any word or number next to it, the answer is a report. */
const silent = onceExpression(`^[\\s\\p{P}\\p{S}]*${NOTHING_TO_REPORT}[\\s\\p{P}\\p{S}]*$`, "u");

/** Whether this answer is the marker and nothing else. An empty answer is not: broken models give those. */
export const isNothingToReport = (answer: string): boolean => silent().test(answer);

/**
 * Endings that say nothing about whether a task works, because people caused them. The owners did so by pausing everything, or by a token
 * that Discord does not accept (`unchecked`).
 */
const BY_PEOPLE: ReadonlySet<string> = new Set([
  "stopped",
  "follow_up",
  "cleared",
  "taken_back",
  "superseded",
  "steered",
  "paused",
  "unchecked",
]);

/** Returns the task after one of its turns has ended. Null: the turn was refused before it started. */
export function afterTurn(task: RecurringTask, ending: Ending | null): RecurringTask {
  const why = ending?.kind === "access_refused" ? ending.refusal.reason : ending?.kind;
  if (task.isPaused || BY_PEOPLE.has(why ?? "")) return task;
  if (why === "completed") return task.failures === 0 ? task : { ...task, failures: 0 };
  const failures = task.failures + 1;
  return { ...task, failures, ...(failures >= MAX_TASK_FAILURES && { isPaused: true }) };
}

// A reminder that comes again and again: what is stored of it beside the reminder, what counts as a failure, and which answer is not
// posted. Pure.
import { onceExpression } from "../once.ts";
import type { Rule } from "../time/occurrence.ts";
import type { Ending } from "./ending.ts";

/** Stored with the reminder. */
export interface RecurringTask {
  rule: Rule;
  /** The rule in the person's words, with the zone that it goes by. */
  every: string;
  /** Failures in a row. */
  failures: number;
  /** It does not come any more until it is set again. */
  isPaused?: true;
  /** When one was due that waits until Discord accepts the bot's token. */
  heldSince?: number;
}

/** After so many failures in a row a task pauses itself. */
const MAX_TASK_FAILURES = 3;

/** The whole answer of a task that found nothing to report. */
export const NOTHING_TO_REPORT = "NOTHING_TO_REPORT";

/** Signs around the marker are no words; with any word or number beside it, an answer is a report. */
const silent = onceExpression(`^[\\s\\p{P}\\p{S}]*${NOTHING_TO_REPORT}[\\s\\p{P}\\p{S}]*$`, "u");

/** Is this answer the marker and nothing else? An empty answer is not: broken models give those. */
export const isNothingToReport = (answer: string): boolean => silent().test(answer);

/**
 * Ends that say nothing about whether a task works: people brought them about, the owners with a pause for everyone, or with a token that
 * Discord does not accept (`unchecked`).
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

/** The task after a turn of it has ended. Null: it was refused before it started. */
export function afterTurn(task: RecurringTask, ending: Ending | null): RecurringTask {
  const why = ending?.kind === "access_refused" ? ending.refusal.reason : ending?.kind;
  if (task.isPaused || BY_PEOPLE.has(why ?? "")) return task;
  if (why === "completed") return task.failures === 0 ? task : { ...task, failures: 0 };
  const failures = task.failures + 1;
  return { ...task, failures, ...(failures >= MAX_TASK_FAILURES && { isPaused: true }) };
}

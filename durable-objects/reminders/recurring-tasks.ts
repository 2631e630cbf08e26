// The times of reminders: when a task comes next, and what the end of a turn changes. The one row of a task is written at its time, and
// after a turn only where the number of failures in a row changes; that of a reminder once more where the owners had paused everything.

import type { ChannelState, TurnRecord } from "../../src/core/state/record.ts";
import { afterTurn, type RecurringTask } from "../../src/core/state/recurring-task.ts";
import { unfinishedTurns } from "../../src/core/state/unfinished.ts";
import { nextOccurrence } from "../../src/core/time/occurrence.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { StoredReminder } from "../store/reminders.ts";

/** A reminder that a pause holds back comes again after as long as it is late, within these bounds. */
const HOLD_MS = 5 * 60_000;
const MAX_HOLD_MS = 24 * 60 * 60_000;

type Kept = Pick<ChannelPorts, "reminders">;

/** A reminder that comes again. */
type StoredTask = StoredReminder & { task: RecurringTask };

/**
 * Marks a due reminder as fired, or plans its next time after `now`, within the caller's transaction: times that were missed are not made
 * up for. `isRefused`: its person may not ask here any more, which counts as a failure.
 */
export function markDue({ reminders }: Kept, { number, task }: StoredReminder, now: number, isRefused: boolean): void {
  if (!task) reminders.markFired(number, now);
  else reminders.reschedule(number, nextOccurrence(task.rule, now), isRefused ? afterTurn(task, null) : task);
}

/** Stores what the end of this turn changes of its reminder, within the caller's transaction, which finishes the turn. */
export function storeOutcome(ports: Kept & Pick<ChannelPorts, "clock">, turn: TurnRecord): void {
  const changed = changedTask(ports, turn);
  if (changed) ports.reminders.reschedule(changed.number, changed.dueAt, changed.task);
  const { number, dueAt } = turn.request.reminder ?? {};
  if (number === undefined || dueAt === undefined || !isHeldBack(turn)) return;
  const now = ports.clock();
  // Late by no more than the pause was long, and seldom in a long one.
  ports.reminders.hold(number, now + Math.min(Math.max(now - dueAt, HOLD_MS), MAX_HOLD_MS));
}

/** The owners have paused everything, and nobody has been reminded. */
const isHeldBack = ({ checkpoint, parts }: TurnRecord): boolean =>
  checkpoint.kind === "send" &&
  checkpoint.ending.kind === "access_refused" &&
  checkpoint.ending.refusal.reason === "paused" &&
  parts.length === 0;

/** Is the last turn of this task still under way? Then this time is left out: turns of one task don't queue up. */
export const isUnderWay = (state: ChannelState, { number, task }: StoredReminder): boolean =>
  task !== undefined && unfinishedTurns(state).some(({ request }) => request.reminder?.task?.number === number);

/** The task of a closing turn as it is after the turn's end; null where it doesn't change, or was cancelled. */
export function changedTask({ reminders }: Kept, { request, checkpoint }: TurnRecord): StoredTask | null {
  const number = request.reminder?.task?.number;
  if (number === undefined || checkpoint.kind !== "send") return null;
  const found = reminders.pending().find((one) => one.number === number);
  if (!found?.task) return null;
  const task = afterTurn(found.task, checkpoint.ending);
  return task === found.task ? null : { ...found, task };
}

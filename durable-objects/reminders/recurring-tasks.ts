// The times of reminders: when a task comes next, and what the end of a turn changes. A task's one row is written when it is due, and after
// its turn only if the number of failures in a row changes. A one-time reminder's row is also written if the owners had paused everything, and
// either row if Discord does not accept the bot's token.

import { type Hindrance, heldUntil } from "../../src/core/decisions/held-reminder.ts";
import type { ChannelState, TurnRecord } from "../../src/core/state/record.ts";
import { afterTurn, type RecurringTask } from "../../src/core/state/recurring-task.ts";
import { unfinishedTurns } from "../../src/core/state/unfinished.ts";
import { nextOccurrence } from "../../src/core/time/occurrence.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { StoredReminder } from "../store/reminders.ts";

const SOON_MS = 60 * 60_000;

type Kept = Pick<ChannelPorts, "reminders">;

/** A reminder that repeats. */
type StoredTask = StoredReminder & { task: RecurringTask };

/**
 * Marks a due reminder as fired, or plans a task's next time after `now`, within the caller's transaction: missed times are not made up
 * for. `isRefused`: its person may no longer ask here, or the bot may not post here, which counts as a failure.
 */
export function markDue({ reminders }: Kept, { number, task }: StoredReminder, now: number, isRefused: boolean): void {
  if (!task) {
    reminders.markFired(number, now);
    return;
  }
  const { heldSince: _over, ...next } = isRefused ? afterTurn(task, null) : task;
  reminders.reschedule(number, nextOccurrence(task.rule, now), next);
}

/** Stores how the end of this turn changes its reminder, within the caller's transaction, which finishes the turn. */
export function storeOutcome(ports: Kept & Pick<ChannelPorts, "clock" | "store">, turn: TurnRecord): void {
  const changed = changedTask(ports, turn);
  if (changed) ports.reminders.reschedule(changed.number, changed.dueAt, changed.task);
  const { number, dueAt = 0, task } = turn.request.reminder ?? {};
  const why = heldBackBy(turn);
  if (why === null) return;
  // The reminder will ask again, and the repeated questions would fill the conversation.
  ports.store.forgetTurn(turn.id);
  const at = heldUntil(dueAt, ports.clock(), why);
  if (number !== undefined) ports.reminders.hold(number, at);
  // During a pause a task skips the time that was held back, and so does a task that comes again soon.
  const held = why === "unchecked" ? findTask(ports, task?.number) : null;
  if (held && at + SOON_MS < held.dueAt)
    ports.reminders.reschedule(held.number, at, { ...held.task, heldSince: dueAt });
}

/** Returns why nobody could be reminded: the owners have paused everything, or Discord does not accept the bot's token (`unchecked`); else null. */
function heldBackBy({ checkpoint, parts }: TurnRecord): Hindrance | null {
  const ending = checkpoint.kind === "send" && parts.length === 0 ? checkpoint.ending : null;
  const why = ending?.kind === "access_refused" ? ending.refusal.reason : null;
  return why === "paused" || why === "unchecked" ? why : null;
}

/** Whether the last turn of this task is still under way. If so, this time is skipped: turns of one task don't queue up. */
export const isUnderWay = (state: ChannelState, { number, task }: StoredReminder): boolean =>
  task !== undefined && unfinishedTurns(state).some(({ request }) => request.reminder?.task?.number === number);

/** Returns the task of a closing turn as it is after the turn's end; null if it doesn't change, or was canceled. */
export function changedTask(ports: Kept, { request, checkpoint }: TurnRecord): StoredTask | null {
  if (checkpoint.kind !== "send") return null;
  const found = findTask(ports, request.reminder?.task?.number);
  if (!found) return null;
  const task = afterTurn(found.task, checkpoint.ending);
  return task === found.task ? null : { ...found, task };
}

function findTask({ reminders }: Kept, number: number | undefined): StoredTask | null {
  const found = number === undefined ? null : reminders.pending().find((one) => one.number === number);
  return found?.task ? { ...found, task: found.task } : null;
}

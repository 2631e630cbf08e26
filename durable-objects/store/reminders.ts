// Stores the channel's reminders in the object's own SQLite. A row stays for a while after it fires: a later life that
// repeats the call that set the reminder must find it.
import type { RecurringTask } from "../../src/core/state/recurring-task.ts";
import type { ReminderOrigin } from "../../src/core/state/reminder-turn.ts";
import type { Reminder } from "../../src/toolkit/define/tool-services.ts";
import { openSql } from "./row-size.ts";
import { numberOrNull, type Row, readJson, type SqliteStorage } from "./sqlite-storage.ts";

/** A reminder, and where it was set. `task`: set if it recurs. `heldSince`: when it was first due, if it is held back. */
export interface StoredReminder extends Omit<Reminder, "every" | "isPaused" | "origin"> {
  heldSince?: number;
  task?: RecurringTask;
  origin: ReminderOrigin;
}

/** The reminders of one channel. Synchronous; no method is a transaction by itself. */
export interface ReminderStore {
  nextDueAt(): number | null;
  /** The reminders that have not fired, including paused ones, the next one first. */
  pending(): StoredReminder[];
  /** Finds a reminder, fired or not, by the key of the call that set it. */
  byKey(key: string): StoredReminder | null;
  /** Returns the number. Throws when the key exists. */
  insert(key: string, reminder: Omit<StoredReminder, "number">): number;
  markFired(number: number, at: number): void;
  /** Stores a task and when it comes next. Does nothing if it was canceled. */
  reschedule(number: number, dueAt: number, task: RecurringTask): void;
  /** Makes a fired reminder come again, and notes when it was first due. Does nothing if it was deleted. */
  hold(number: number, dueAt: number): void;
  /** Deletes a reminder only if it has not fired. */
  remove(number: number): void;
  /** Deletes all reminders of this person, fired or not. Returns how many had not fired. */
  removeBy(userId: string): number;
  /** Deletes what fired before this time (ms since 1970). */
  dropFired(before: number): void;
}

/** Opens the store. The database's schema must be up to date. */
export function openReminders(storage: Pick<SqliteStorage, "sql">): ReminderStore {
  const run = openSql(storage);
  return {
    nextDueAt() {
      const coming = "fired_at IS NULL AND json_extract(record, '$.task.isPaused') IS NULL";
      return numberOrNull(run(`SELECT min(due_at) AS due_at FROM reminders WHERE ${coming}`)[0]?.due_at);
    },
    pending: () => run("SELECT * FROM reminders WHERE fired_at IS NULL ORDER BY due_at, number").map(readReminder),
    byKey: (key) => run("SELECT * FROM reminders WHERE key = ?", key).map(readReminder)[0] ?? null,
    insert(key, { userId, dueAt, text, setAt, origin, task }) {
      const insert = "INSERT INTO reminders (key, user_id, due_at, record) VALUES (?, ?, ?, ?) RETURNING number";
      const record = JSON.stringify({ text, setAt, place: origin, task });
      return Number(run(insert, key, userId, dueAt, record)[0]?.number);
    },
    markFired: (number, at) => void run("UPDATE reminders SET fired_at = ? WHERE number = ?", at, number),
    reschedule(number, dueAt, task) {
      const update = "UPDATE reminders SET due_at = ?, record = json_set(record, '$.task', json(?)) WHERE number = ?";
      run(update, dueAt, JSON.stringify(task), number);
    },
    hold(number, dueAt) {
      const since = "json_insert(record, '$.heldSince', due_at)";
      run(`UPDATE reminders SET fired_at = NULL, record = ${since}, due_at = ? WHERE number = ?`, dueAt, number);
    },
    remove: (number) => void run("DELETE FROM reminders WHERE number = ? AND fired_at IS NULL", number),
    removeBy: (userId) =>
      run("DELETE FROM reminders WHERE user_id = ? RETURNING fired_at", userId).filter((row) => row.fired_at === null)
        .length,
    dropFired: (before) => void run("DELETE FROM reminders WHERE fired_at < ?", before),
  };
}

/** Rows keep the key `place`, which every released program reads. */
type StoredText = Pick<StoredReminder, "text" | "setAt" | "heldSince" | "task"> & { place: StoredReminder["origin"] };

function readReminder(row: Row): StoredReminder {
  const { text, setAt, heldSince, place: origin, task } = readJson<StoredText>(row.record);
  return {
    number: Number(row.number),
    userId: String(row.user_id),
    dueAt: Number(row.due_at),
    text,
    setAt,
    origin,
    ...(heldSince !== undefined && { heldSince }),
    ...(task && { task }),
  };
}

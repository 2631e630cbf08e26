// The channel's reminders on the object's own SQLite. A row stays for a while after it fired, so that the call that set it finds it
// when a later life repeats that call.
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { Reminder } from "../../src/toolkit/define/tool-services.ts";
import type { SqliteStorage, SqlValue } from "./sqlite-storage.ts";

/** A reminder with what its turn will need to know of where and by whom it was set. */
export interface StoredReminder extends Reminder {
  origin: Pick<TurnRequest, "applicationId" | "channelId" | "guildId" | "userName" | "locale">;
}

/** The reminders of one channel. Synchronous; no method is a transaction by itself. */
export interface ReminderStore {
  nextDueAt(): number | null;
  /** Not fired yet, the next one first. */
  pending(): StoredReminder[];
  /** By the call that set it, fired or not. */
  byKey(key: string): StoredReminder | null;
  /** Answers the number. */
  insert(key: string, reminder: Omit<StoredReminder, "number">): number;
  markFired(number: number, at: number): void;
  /** Only one that has not fired. */
  remove(number: number): void;
  /** Deletes what fired before this. */
  dropFired(before: number): void;
}

/** The reminders of a database whose schema is up to date. */
export function openReminders({ sql }: Pick<SqliteStorage, "sql">): ReminderStore {
  const run = (query: string, ...values: SqlValue[]) => sql.exec(query, ...values).toArray();
  return {
    nextDueAt() {
      const dueAt = run("SELECT min(due_at) AS due_at FROM reminders WHERE fired_at IS NULL")[0]?.due_at ?? null;
      return dueAt === null ? null : Number(dueAt);
    },
    pending: () => run("SELECT * FROM reminders WHERE fired_at IS NULL ORDER BY due_at, number").map(readReminder),
    byKey: (key) => run("SELECT * FROM reminders WHERE key = ?", key).map(readReminder)[0] ?? null,
    insert(key, { userId, dueAt, text, setAt, origin }) {
      const insert = "INSERT INTO reminders (key, user_id, due_at, record) VALUES (?, ?, ?, ?) RETURNING number";
      return Number(run(insert, key, userId, dueAt, JSON.stringify({ text, setAt, place: origin }))[0]?.number);
    },
    markFired: (number, at) => void run("UPDATE reminders SET fired_at = ? WHERE number = ?", at, number),
    remove: (number) => void run("DELETE FROM reminders WHERE number = ? AND fired_at IS NULL", number),
    dropFired: (before) => void run("DELETE FROM reminders WHERE fired_at < ?", before),
  };
}

/** Rows keep the key `place`, which every released program reads. */
type StoredText = Pick<StoredReminder, "text" | "setAt"> & { place: StoredReminder["origin"] };

function readReminder(row: Record<string, SqlValue>): StoredReminder {
  const { text, setAt, place: origin } = JSON.parse(String(row.record)) as StoredText;
  return { text, setAt, origin, number: Number(row.number), userId: String(row.user_id), dueAt: Number(row.due_at) };
}

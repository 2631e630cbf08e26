// Stores in which channels of a scope people used the bot, and which of these channels still have to forget a person. The schema is in
// scope-store.ts.
import { openSql } from "../store/row-size.ts";
import { numberOrNull, type SqliteStorage, textOrNull } from "../store/sqlite-storage.ts";

/** The most channels that are known of one person; beyond that, those that they used longest ago are dropped. */
const MAX_CHANNELS = 500;

/** One person to forget in one channel, and how often that was tried. */
export interface ToForget {
  userId: string;
  channelId: string;
  tries: number;
}

/** This part of a scope's storage. Synchronous; the caller makes the transactions. Days are in UTC, times in epoch milliseconds. */
export interface ForgettingStore {
  /** Notes that this person used the bot in this channel. Writes a row only for the first turn of a day. */
  noteUse(userId: string, channelId: string, day: string): void;
  /** The channels in which this person used the bot, the last used first. */
  channels(userId: string): string[];
  /** Moves the person's channels, except this one, to the list of channels that still have to forget them; all of these are due at once. */
  plan(userId: string, exceptChannelId: string, now: number): void;
  /** Whether the person asked to be forgotten at `since` or later. If so, this channel, which was not listed, is due at once as well. */
  planLate(userId: string, channelId: string, since: number, now: number): boolean;
  /** What is due, for one person or (null) for all, the oldest first. */
  due(now: number, userId: string | null): ToForget[];
  postpone(one: ToForget, at: number, tries: number): void;
  done(one: ToForget): void;
  /** When the next one is due; null if none is left. */
  nextAt(): number | null;
  /** How many channels still have to forget this person. */
  count(userId: string): number;
  /** The oldest day on which someone last used a channel, or asked to be forgotten; null if there is none. */
  oldestDay(): string | null;
  /** All channels in which anybody used the bot. */
  places(): string[];
  /** Forgets who used these channels. */
  dropPlaces(channelIds: readonly string[]): void;
  /** Deletes uses and wishes to be forgotten from before this day. */
  expire(day: string): void;
}

/** Opens the store. The database's schema must be up to date. */
export function openForgettingStore(storage: Pick<SqliteStorage, "sql">): ForgettingStore {
  const run = openSql(storage);
  return {
    noteUse(userId, channelId, day) {
      const changed = run(
        `INSERT INTO used_in VALUES (?, ?, ?) ON CONFLICT (user_id, channel_id) DO UPDATE SET day = excluded.day
         WHERE day < excluded.day RETURNING day`,
        userId,
        channelId,
        day,
      );
      if (changed.length === 0) return;
      run(
        `DELETE FROM used_in WHERE user_id = ? AND channel_id IN (
           SELECT channel_id FROM used_in WHERE user_id = ? ORDER BY day DESC, channel_id LIMIT -1 OFFSET ?)`,
        userId,
        userId,
        MAX_CHANNELS,
      );
    },
    channels: (userId) =>
      run("SELECT channel_id FROM used_in WHERE user_id = ? ORDER BY day DESC, channel_id", userId).map((row) =>
        String(row.channel_id),
      ),
    plan(userId, exceptChannelId, now) {
      run(
        `INSERT INTO to_forget SELECT user_id, channel_id, ?, 0 FROM used_in WHERE user_id = ? AND channel_id != ?
         ON CONFLICT (user_id, channel_id) DO UPDATE SET at = excluded.at, tries = 0`,
        now,
        userId,
        exceptChannelId,
      );
      run("DELETE FROM used_in WHERE user_id = ?", userId);
      run("DELETE FROM to_forget WHERE user_id = ? AND channel_id = ?", userId, exceptChannelId);
      run("UPDATE to_forget SET at = ? WHERE user_id = ?", now, userId);
      run("INSERT INTO forgotten VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET at = excluded.at", userId, now);
    },
    planLate(userId, channelId, since, now) {
      const isLate = run("SELECT 1 FROM forgotten WHERE user_id = ? AND at >= ?", userId, since).length > 0;
      if (isLate) run("INSERT OR IGNORE INTO to_forget VALUES (?, ?, ?, 0)", userId, channelId, now);
      return isLate;
    },
    due: (now, userId) =>
      run(
        "SELECT * FROM to_forget WHERE at <= ? AND (? = '' OR user_id = ?) ORDER BY at, user_id, channel_id",
        now,
        userId ?? "",
        userId ?? "",
      ).map((row) => ({
        userId: String(row.user_id),
        channelId: String(row.channel_id),
        tries: Number(row.tries),
      })),
    postpone: ({ userId, channelId }, at, tries) =>
      void run(
        "UPDATE to_forget SET at = ?, tries = ? WHERE user_id = ? AND channel_id = ?",
        at,
        tries,
        userId,
        channelId,
      ),
    done: ({ userId, channelId }) =>
      void run("DELETE FROM to_forget WHERE user_id = ? AND channel_id = ?", userId, channelId),
    nextAt: () => numberOrNull(run("SELECT min(at) AS at FROM to_forget")[0]?.at),
    count: (userId) => Number(run("SELECT count(*) AS n FROM to_forget WHERE user_id = ?", userId)[0]?.n),
    oldestDay: () =>
      textOrNull(
        run(`SELECT min(day) AS day FROM (
               SELECT day FROM used_in UNION ALL SELECT date(at / 1000, 'unixepoch') FROM forgotten)`)[0]?.day,
      ),
    places: () => run("SELECT DISTINCT channel_id FROM used_in").map((row) => String(row.channel_id)),
    dropPlaces: (channelIds) =>
      void run("DELETE FROM used_in WHERE channel_id IN (SELECT value FROM json_each(?))", JSON.stringify(channelIds)),
    expire(day) {
      run("DELETE FROM used_in WHERE day < ?", day);
      run("DELETE FROM forgotten WHERE at < ?", Date.parse(day));
    },
  };
}

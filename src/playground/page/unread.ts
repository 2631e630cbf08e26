// Finds the channels with messages that a person has not seen. Without this, the bot's messages elsewhere, such as a private answer to a
// mention, would go unnoticed. Messages from before the page was opened count as seen. Pure.
import type { Channel } from "./shapes.ts";

/** Remembers what was seen, until the page is reloaded. */
export function unreadMarks() {
  const seen = new Map<string, string | undefined>();
  /** Returns the ids of the channels with unread messages for the person, who is looking at `shownId`. */
  return (personId: string, shownId: string, channels: readonly Channel[]): ReadonlySet<string> => {
    const unread = channels.filter(({ id, newest }) => {
      const key = `${personId} ${id}`;
      if (id === shownId || !seen.has(key)) seen.set(key, newest);
      return newest !== undefined && seen.get(key) !== newest;
    });
    return new Set(unread.map(({ id }) => id));
  };
}

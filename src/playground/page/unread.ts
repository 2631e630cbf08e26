// Which channels have messages that a person has not seen: what the bot says where nobody looks, such as a private answer to a mention, would
// go unnoticed. What was there when the page was opened counts as seen. Pure.
import type { Channel } from "./shapes.ts";

/** Remembers what was seen, until the page is loaded again. */
export function unreadMarks() {
  const seen = new Map<string, string | undefined>();
  /** The channels with unread messages of the person, who looks at `shownId`. */
  return (personId: string, shownId: string, channels: readonly Channel[]): ReadonlySet<string> => {
    const unread = channels.filter(({ id, newest }) => {
      const key = `${personId} ${id}`;
      if (id === shownId || !seen.has(key)) seen.set(key, newest);
      return newest !== undefined && seen.get(key) !== newest;
    });
    return new Set(unread.map(({ id }) => id));
  };
}

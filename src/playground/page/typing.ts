// Who is typing: the sentence below the box, and the signal to Discord that somebody is typing here.

/** Discord shows the signal for 10 s, so a client repeats it a little earlier. */
const AGAIN_MS = 8_000;
const MOST = 3;

/** Returns "Parley is typing…" or the like; an empty text if nobody is typing. */
export function nameTyping(names: readonly string[]): string {
  if (names.length === 0) return "";
  if (names.length > MOST) return "Several people are typing…";
  const last = names.at(-1) ?? "";
  return names.length === 1 ? `${last} is typing…` : `${names.slice(0, -1).join(", ")} and ${last} are typing…`;
}

/** Decides when to signal: with the first letter of a message, and repeatedly while somebody continues. */
export function typingSignal(now: () => number, tell: () => void) {
  let signaledAt = Number.NEGATIVE_INFINITY;
  return {
    /** Call this when the text of the box has changed. A command does not count as typing. */
    typed(text: string): void {
      if (text.trim() === "" || text.startsWith("/") || now() - signaledAt < AGAIN_MS) return;
      signaledAt = now();
      tell();
    },
    /** Call this when the message was sent, or another channel is shown. */
    ended(): void {
      signaledAt = Number.NEGATIVE_INFINITY;
    },
  };
}

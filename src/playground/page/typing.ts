// Who is typing: the sentence below the box, and telling Discord that somebody writes here.

/** Discord shows it for 10 s, and so a client repeats it a little earlier. */
const AGAIN_MS = 8_000;
const MOST = 3;

/** "Parley is typing…"; an empty text if nobody is. */
export function nameTyping(names: readonly string[]): string {
  if (names.length === 0) return "";
  if (names.length > MOST) return "Several people are typing…";
  const last = names.at(-1) ?? "";
  return names.length === 1 ? `${last} is typing…` : `${names.slice(0, -1).join(", ")} and ${last} are typing…`;
}

/** Decides when to tell Discord: with the first letter of a message, and again while somebody continues. */
export function typingSignal(now: () => number, tell: () => void) {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    /** The text of the box has changed. A command is not a message. */
    typed(text: string): void {
      if (text.trim() === "" || text.startsWith("/") || now() - toldAt < AGAIN_MS) return;
      toldAt = now();
      tell();
    },
    /** The message is sent, or another place is shown. */
    ended(): void {
      toldAt = Number.NEGATIVE_INFINITY;
    },
  };
}

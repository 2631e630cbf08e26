// Formats a Discord message for a terminal: names and times in words, because a terminal can't render them. Markdown stays as it is.
import { type Named, nameMentions, outsideCode } from "./page/mentions.ts";
import { speakStamp, speakStamps } from "./page/spoken-time.ts";

/** The beginning of a mention or a time, whose end comes with the next edit. */
export const UNFINISHED = /<(?:[@#]|t:)[^>\s]*$/;
/** Discord's mark for a small line. */
const SMALL = /^-# /gm;

/**
 * Creates the function that formats the growing text of one run. It formats a time the same way each time, so that an answer only grows.
 * `known`: the people and channels whose names it can use.
 */
export function terminalText(known: readonly Named[]): (content: string) => string {
  const spoken = new Map<string, string>();
  const speak = (seconds: number, style?: string) => {
    const key = `${seconds} ${style}`;
    const words = spoken.get(key) ?? speakStamp(seconds, style);
    spoken.set(key, words);
    return words;
  };
  return (content) =>
    outsideCode(content, (piece) => speakStamps(nameMentions(piece, known), speak).replace(SMALL, "· "));
}

/**
 * Decides what to print so that a terminal that shows `printed` comes to show `text`, and what it shows then. If the text grew: its new end.
 * Differences in white space are ignored, because it changes where an answer continues in another message. If `text` is a beginning of what
 * is shown: nothing, because the rest is on its way. For any other text: a new line, and everything from the first changed line on.
 */
export function nextPrint(printed: string, text: string): { print: string; printed: string } {
  let [at, to] = [0, 0];
  for (;;) {
    const [nextAt, nextTo] = [inkFrom(printed, at), inkFrom(text, to)];
    if (nextAt === printed.length) return { print: text.slice(to), printed: text };
    if (nextTo === text.length) return { print: "", printed };
    if (printed[nextAt] !== text[nextTo]) {
      const line = text.slice(0, nextTo).lastIndexOf("\n") + 1;
      return { print: `\n${text.slice(line)}`, printed: text };
    }
    [at, to] = [nextAt + 1, nextTo + 1];
  }
}

function inkFrom(text: string, index: number): number {
  let at = index;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

// A message of Discord as a terminal shows it: names and times in words, because nothing draws them there. Markdown stays as it is.
import { type Named, nameMentions, outsideCode } from "./page/mentions.ts";
import { speakStamp, speakStamps } from "./page/spoken-time.ts";

/** A mention or a time whose end comes with the next edit. */
export const UNFINISHED = /<(?:[@#]|t:)[^>\s]*$/;
/** Discord's mark of a small line. */
const SMALL = /^-# /gm;

/**
 * Makes what writes the growing text of one run. A time that was written once is written the same again, so that an answer only grows.
 * `known`: the people and the channels that it may name.
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
 * What to print so that a terminal showing `printed` comes to show `text`, and what it shows then. If the text grew: its new end.
 * White space does not count, because it changes where an answer continues in another message. If the text became a beginning of
 * what is shown: nothing, because the rest is on its way. For any other text: a new line, and everything from the first changed
 * line on.
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

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

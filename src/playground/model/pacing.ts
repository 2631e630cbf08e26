// Spreads an answer over time: text as words with pauses between them. Chooses no words.
import type { Part, ScriptStep } from "./script.ts";

/** Pause between two words of ordinary talk, in ms. Fast, but slow enough to see the answer grow. */
export const TALK_MS = 20;
/** Pause between two words of the long pieces, in ms. They exist to be stopped. */
export const SLOW_MS = 30;

/** The text word by word (white space stays with the word before it), with `pauseMs` after each. */
export function paced(text: string, pauseMs: number): Part[] {
  return (text.match(/\S+\s*|\s+/g) ?? []).flatMap((word) => [{ text: word }, { waitMs: pauseMs }]);
}

/** An ordinary answer. */
export const talk = (text: string): ScriptStep => ({ chunks: paced(text, TALK_MS) });

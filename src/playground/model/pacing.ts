// Spreads an answer over time: sends text word by word with pauses in between. Chooses no words.
import type { Part, ScriptStep } from "./script.ts";

/** Pause between two words of ordinary talk, in ms. Fast, but slow enough to see the answer grow. */
export const TALK_MS = 20;
/** Pause between two words of the long pieces, in ms. They exist to be stopped. */
export const SLOW_MS = 30;

/** Splits a text into words (white space stays with the word before it), with `pauseMs` after each. */
export function paced(text: string, pauseMs: number): Part[] {
  return (text.match(/\S+\s*|\s+/g) ?? []).flatMap((word) => [{ text: word }, { waitMs: pauseMs }]);
}

/** Builds an ordinary answer. */
export const talk = (text: string): ScriptStep => ({ chunks: paced(text, TALK_MS) });

// Characters that change how a line reads without being seen: controls, changes of the writing direction, zero-width characters.
import { onceExpression } from "../once.ts";

/** Control and format characters, line separators, and letters that are blank. */
const unseen = onceExpression("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\u115f\u1160\u3164\uffa0]", "gu");

/** Writes each such character as its code point, `\u{202e}`. */
export const showUnseen = (text: string): string =>
  text.replace(unseen(), (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

// Characters that change how a line reads without being seen: controls, changes of the writing direction, zero-width characters.
import { onceExpression } from "../once.ts";

/** Control and format characters, line separators, and letters that are blank. */
const unseen = onceExpression("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\u115f\u1160\u3164\uffa0]", "gu");

const seen = onceExpression("[^\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]", "u");

/** Is there nothing in the text that anybody would see? */
export const isUnseen = (text: string): boolean => !seen().test(text);

/** Writes each such character as its code point, `\u{202e}`. */
export const showUnseen = (text: string): string =>
  text.replace(unseen(), (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

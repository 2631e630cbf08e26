// Finds invisible characters that change how a line reads or carry hidden words: controls, changes of the writing direction, zero-width
// characters, variation selectors.
import { onceExpression } from "../once.ts";

/** Control and format characters, line separators, and everything else that is drawn as nothing, except the selector that emoji need. */
const unseen = onceExpression(
  "(?!(?<=\\p{Emoji})\ufe0f)[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]",
  "gu",
);

const seen = onceExpression("[^\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]", "u");

/** Whether nothing in the text is visible. */
export const isUnseen = (text: string): boolean => !seen().test(text);

/** Writes each invisible character as its code point, `\u{202e}`. */
export const showUnseen = (text: string): string =>
  text.replace(unseen(), (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

// Characters that change how a line reads without being seen, or carry words that nobody sees: controls, changes of the writing direction,
// zero-width characters, selectors of variants.
import { onceExpression } from "../once.ts";

/** Control and format characters, line separators, and all else that is drawn as nothing, but the selector that emoji need. */
const unseen = onceExpression(
  "(?!(?<=\\p{Emoji})\ufe0f)[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]",
  "gu",
);

const seen = onceExpression("[^\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]", "u");

/** Is there nothing in the text that anybody would see? */
export const isUnseen = (text: string): boolean => !seen().test(text);

/** Writes each such character as its code point, `\u{202e}`. */
export const showUnseen = (text: string): string =>
  text.replace(unseen(), (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

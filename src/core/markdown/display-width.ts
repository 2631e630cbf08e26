// Measures how many columns a text takes in a fixed-width font: CJK and emoji take two, combining marks none.
import { once, onceExpression } from "../once.ts";

const PRINTABLE_ASCII = /^[ -~]*$/;
const noColumn = onceExpression("^[\\p{M}\\p{Cf}\\p{Cc}]", "u");
/** Shown as a picture: by itself, or because a variation selector asks for it. */
const picture = onceExpression("\\p{Emoji_Presentation}|\ufe0f", "u");
/** The scripts and symbols of East Asia that are as wide as they are high (Unicode's East_Asian_Width is W or F). */
const wide = onceExpression(
  "^[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]",
  "u",
);

/** Cached because making one takes longer than measuring a cell, and each cell of a table is measured several times. */
const segmenter = once(() => new Intl.Segmenter());

/** Returns the columns of one line of text. */
export function displayWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter().segment(text)) columns += widthOfGrapheme(segment);
  return columns;
}

function widthOfGrapheme(grapheme: string): number {
  if (noColumn().test(grapheme)) return 0;
  return picture().test(grapheme) || wide().test(grapheme) ? 2 : 1;
}

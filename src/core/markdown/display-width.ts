// How many columns a text takes in a fixed-width font: CJK and emoji take two, combining marks none.
import { eastAsianWidth } from "get-east-asian-width";
import { onceExpression } from "../once.ts";

const PRINTABLE_ASCII = /^[ -~]*$/;
const noColumn = onceExpression("^[\\p{M}\\p{Cf}\\p{Cc}]", "u");
/** Shown as a picture: by itself, or because a variation selector asks for it. */
const picture = onceExpression("\\p{Emoji_Presentation}|\ufe0f", "u");

/** The columns of one line of text. */
export function displayWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) columns += widthOfGrapheme(segment);
  return columns;
}

function widthOfGrapheme(grapheme: string): number {
  if (noColumn().test(grapheme)) return 0;
  return picture().test(grapheme) ? 2 : eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}

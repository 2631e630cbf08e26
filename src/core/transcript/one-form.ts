// Brings the different forms of a character into one, so that words can be recognized however they are written.
import { onceExpression } from "../once.ts";

/** What combines with the character before it. The last two are letters by their class, and become marks. */
const MARK = "[\\p{M}\uff9e\uff9f]";
/** No language has more marks on one character (Unicode's Stream-Safe Text Format). */
const manyMarks = onceExpression(`(${MARK}{30})${MARK}+`, "gu");

/** Returns the text in Unicode's form NFKC, with at most 30 marks in a run: sorting a run takes the square of its length. */
export const inOneForm = (text: string): string => text.replace(manyMarks(), "$1").normalize("NFKC");

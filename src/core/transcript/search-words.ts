// Splits texts into words for a full-text index and for a query. Pure. Indexes split at spaces, so scripts without spaces
// are split into characters on both sides: a run of them in a query is a phrase of characters.
import { onceExpression } from "../once.ts";

const unspaced = onceExpression(
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}]",
  "gu",
);
const word = onceExpression("[\\p{L}\\p{M}\\p{N}]+", "gu");
/** A shorter word must match exactly: as a prefix it would find too much. */
const MIN_PREFIX_LETTERS = 4;
/** The most words of a query, about as many as in a sentence. */
const MAX_TERMS = 32;

/** Returns the text for the index. */
export const searchable = (text: string): string => text.replace(unspaced(), " $& ");

/**
 * Builds the query for SQLite's FTS5, which matches any of the words, also as the beginning of longer ones. Null if there is
 * no word. Every word is quoted, so none of them acts as an operator.
 */
export function buildMatch(question: string): string | null {
  const words = [...new Set(question.toLowerCase().match(word()) ?? [])].slice(0, MAX_TERMS);
  return words.length === 0 ? null : words.map(buildTerm).join(" OR ");
}

function buildTerm(word: string): string {
  const cut = searchable(word).trim();
  const isPrefix = cut === word && word.length >= MIN_PREFIX_LETTERS;
  return `"${cut}"${isPrefix ? "*" : ""}`;
}

// Words of a text as a full-text index keeps them and as a question asks for them. Pure. Indexes cut at blanks, so scripts that
// write none are cut into characters on both sides: a run of them in a question then is a phrase of characters.

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Shorter words would find every word that begins like them. */
const MIN_PREFIX_LETTERS = 4;
/** A question is a sentence at most. */
const MAX_TERMS = 32;

/** The text as it is given to the index. */
export const searchable = (text: string): string => text.replace(UNSPACED, " $& ");

/**
 * The question in the match language of SQLite's FTS5: any of its words, also as the beginning of longer ones. Null when it has no
 * word. Every word is quoted, so nothing in it is an operator.
 */
export function buildMatch(question: string): string | null {
  const words = [...new Set(question.toLowerCase().match(WORD) ?? [])].slice(0, MAX_TERMS);
  return words.length === 0 ? null : words.map(buildTerm).join(" OR ");
}

function buildTerm(word: string): string {
  const cut = searchable(word).trim();
  const isPrefix = cut === word && word.length >= MIN_PREFIX_LETTERS;
  return `"${cut}"${isPrefix ? "*" : ""}`;
}

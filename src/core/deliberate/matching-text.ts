// A message as triggers see it: case, width, quotes and white space folded, and where its words begin and end.

/** More of a message is not looked at: Discord's own bound of an option, which folding may exceed. */
const MAX_CHARS = 6000;

/** Letters, digits and what joins them. Scripts that are written without spaces have no words to bound. */
const WORD = /[\p{L}\p{M}\p{N}_-]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;

/** A folded text by code points, and for each place before, between and after them whether a word begins or ends there. */
export interface MatchingText {
  chars: readonly string[];
  edges: readonly boolean[];
}

/** Does this code point belong to a word that spaces bound? */
export const isWordChar = (char: string): boolean => WORD.test(char) && !UNSPACED.test(char);

/** Folds what people write in several ways: `Ｗhat’s  UP` and `what's up` are one. Never longer than 6000 code points. */
export function fold(text: string): string {
  const plain = text
    .slice(0, MAX_CHARS)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/\s+/g, " ")
    .trim();
  return [...plain].slice(0, MAX_CHARS).join("");
}

/** Makes a text ready to be matched. */
export function matchingText(text: string): MatchingText {
  const chars = [...fold(text)];
  const words = chars.map(isWordChar);
  const edges = Array.from({ length: chars.length + 1 }, (_, at) => (words[at - 1] ?? false) !== (words[at] ?? false));
  return { chars, edges };
}

// Prepares a message for matching with triggers: folds case, width, quotes and white space, and finds word edges.
import { firstPoints } from "../markdown/code-points.ts";
import { onceExpression } from "../once.ts";

/** How much of a message is searched: Discord's limit for an option, which a folded text may exceed. */
const MAX_CHARS = 6000;

/** Letters, digits and what joins them. Scripts that are written without spaces have no word edges. */
const joined = onceExpression("[\\p{L}\\p{M}\\p{N}_-]", "u");
const unspaced = onceExpression(
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]",
  "u",
);

/**
 * A folded text as code points, and for each position (before, between and after them) whether a word begins or ends
 * there.
 */
export interface MatchingText {
  chars: readonly string[];
  edges: readonly boolean[];
}

/** Whether this code point is part of a word in a script that uses spaces. */
export const isWordChar = (char: string): boolean => joined().test(char) && !unspaced().test(char);

/** Replaces typographic quotes, which many keyboards insert by themselves, with plain ones. */
export const withPlainQuotes = (text: string): string => text.replace(/[‘’ʼ]/g, "'").replace(/[“”„]/g, '"');

/** Folds different spellings into one: `Ｗhat’s  UP` and `what's up` become equal. Never longer than 6000 code points. */
export function fold(text: string): string {
  const plain = withPlainQuotes(text.slice(0, MAX_CHARS).normalize("NFKC").toLowerCase()).replace(/\s+/g, " ").trim();
  return firstPoints(plain, MAX_CHARS);
}

/** Prepares a text for matching. */
export function matchingText(text: string): MatchingText {
  const chars = [...fold(text)];
  const words = chars.map(isWordChar);
  const edges = Array.from({ length: chars.length + 1 }, (_, at) => (words[at - 1] ?? false) !== (words[at] ?? false));
  return { chars, edges };
}

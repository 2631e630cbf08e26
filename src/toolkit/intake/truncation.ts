// Distinguishes arguments that were cut off from arguments that are only badly written. A repairer closes everything that is open and so
// turns a cut call into a valid but wrong one. So text that is open at its end, or unclear, is never repaired.

/** How broken text may be treated. `ambiguous`: a repair would be a guess. */
export type Brokenness = "repairable" | "cut" | "ambiguous";

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’" };
/** What may follow a string. Anything else means that the quote did not end it, because of an unescaped quote inside, or that a comma is missing. */
const AFTER_STRING = /^\s*(?:[,:}\]]|\/[/*]|$)/;
/**
 * What a repairer would turn into something other than what was meant, outside strings (each string is reduced to one quote here): values that
 * JSON does not have, numbers with leading zeros, calls around values, and dots that stand for omitted text.
 */
const GUESSWORK = /\b(?:NaN|undefined|Infinity)\b|(?<![\w.])-?0\d|[()]|\.\.\.|…/;
/** A missing value or name, which a repairer would fill with null or drop. */
const MISSING = /:\s*[,}\]]|[[{,]\s*,|[{,]\s*(?:"|[\w$-]+)\s*\}|\{\s*(?:"|[\w$-]+)\s*,/;

/**
 * The most characters outside strings: the repairer copies all it has written so far for each comma that is missing there or too much. A list
 * of numbers without commas, as long as arguments may be, would keep the object busy for a noticeable time.
 */
const MAX_BARE_CHARS = 16_384;

/** Judges text that is not valid JSON. */
export function findBreak(text: string): Brokenness {
  const open: string[] = [];
  let bare = "";
  let isAmbiguous = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    const quote = QUOTES[char];
    if (quote) {
      const end = endOfString(text, at + 1, quote);
      if (end < 0) return "cut";
      at = end;
      isAmbiguous ||= !AFTER_STRING.test(text.slice(at + 1));
      bare += '"';
      continue;
    }
    bare += char;
    const closing = CLOSING[char];
    if (closing) open.push(closing);
    else if ((char === "}" || char === "]") && open.pop() !== char) return "ambiguous";
  }
  if (open.length > 0) return "cut";
  return isAmbiguous || bare.length > MAX_BARE_CHARS || GUESSWORK.test(bare) || MISSING.test(bare)
    ? "ambiguous"
    : "repairable";
}

/** Returns the position of the string's end, or -1 if the text ends first. */
function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

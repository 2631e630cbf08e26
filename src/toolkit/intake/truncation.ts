// Tells arguments that were cut off from arguments that are merely badly written. A repairer closes what is open, which makes a
// valid and wrong call of a cut one; so whatever is open at the end, or can't be told for certain, is never mended.

/** How broken text may be treated. `ambiguous`: mending it means guessing. */
export type Brokenness = "mendable" | "cut" | "ambiguous";

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’" };
/** What may follow a string. Anything else means that the quote was no end: an unescaped one within a text, or a lost comma. */
const AFTER_STRING = /^\s*(?:[,:}\]]|\/[/*]|$)/;
/**
 * Things outside strings, each of which stands as one quote here, that a repairer turns into something else than was meant: values
 * that JSON has not, numbers with leading zeros, calls around values, and dots for what was left out.
 */
const GUESSWORK = /\b(?:NaN|undefined|Infinity)\b|(?<![\w.])-?0\d|[()]|\.\.\.|…/;
/** Places where a value or a name is missing; a repairer puts null there, or nothing. */
const MISSING = /:\s*[,}\]]|[[{,]\s*,|[{,]\s*(?:"|[\w$-]+)\s*\}|\{\s*(?:"|[\w$-]+)\s*,/;

/** Judges text that is no JSON. */
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
  return isAmbiguous || GUESSWORK.test(bare) || MISSING.test(bare) ? "ambiguous" : "mendable";
}

/** Where the string ends, or -1 when the text ends first. */
function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

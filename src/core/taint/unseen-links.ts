// Removes links from an answer if they lead to addresses that nobody gave: a model that obeys a stranger could hide what it knows in such an
// address, and whoever clicks it would leak that. Text with the address's host remains, which nobody can click. Pure; the stored answer stays
// as the model wrote it. Discord does not document its parser (a kind of simple-markdown), so wherever it is not clear how Discord reads
// something, no link is left.
import { hostOf, MAX_ENDS, normalAddress, wholeAddress } from "./addresses.ts";

/**
 * The parts of a text that matter for links, each read once. In order:
 * 1. What Discord shows literally: a backslash with the character that it escapes, a code block, or inline code. Inline code ends with as many
 *    backticks as it begins with, in the same message, so the search for its end has a limit.
 * 2. A link with words, `[words](address)`, whose address may be in angle brackets and followed by a title.
 * 3. An address, which may be in angle brackets.
 * 4. The beginning of an address within brackets, in the other forms that work there: a browser needs fewer slashes, and Discord removes
 *    backslashes from the address of a link with words.
 * 5. The beginning of an address whose first character would end any other address.
 */
const PART =
  /(\\[\\`]|```\n*[^\n][\s\S]*?```|(`{1,9})[\s\S]{0,2000}?[^`]\2(?!`))|\[([^[\]\n]*)\]\(<?(https?:\/\/[^\s<>()`]*(?:\([^\s<>()`]*\)[^\s<>()`]*)*)>?(?:\s+"[^"\n]*")?\)|<?(https?:\/\/(?:(?!\]\()[^\s<>`\\]|\\(?!\\*`))+)>?|(?=https?\\?:)(?<=\]\([\s<>]*|<\s*(?=\w+:[\\/]))(?:https?\\?:)+|https?:\/\/(?=\S)/gi;
const SCHEME = /(?:https?\\?:[\\/]*)+/gi;
/**
 * The punctuation at the end of an address that may belong to the sentence. A match begins only where a run of it begins: a search that
 * began at each character would read the rest again and again.
 */
const ENDS = /(?<![.,;:!?'")\]*_~|])[.,;:!?'")\]*_~|]+$/;
/** The punctuation that Discord never counts as part of an address at its end, even if there are several characters of it. */
const SENTENCE_ENDS = /(?<![.,:;"'\]])[.,:;"'\]]+$/;
/** No message has more UTF-16 units, so text farther away from a link does not change how Discord reads it. */
const MOST_AROUND = 4000;

/**
 * Replaces the links whose address is not among `seen` (normal forms). The result is never longer, so it fits where the text did.
 * `hasTicks`: the text has backticks or backslashes, so no backtick may be added: it could end or begin code in the wrong place and so
 * reveal a link that was in code.
 */
export function withoutUnseenLinks(text: string, seen: ReadonlySet<string>, hasTicks = /[\\`]/.test(text)): string {
  let linkEnd = 0;
  return text.replace(PART, (whole, code, ticks, words, address, bare, at: number) => {
    const before = text.slice(Math.max(0, at - MOST_AROUND), at);
    const between = text.slice(Math.max(linkEnd, at - MOST_AROUND), at);
    if (code) return isCode(code, ticks, before, between) ? code : code.replace(SCHEME, " ");
    const end = at + whole.length;
    const after = text.slice(end, end + MOST_AROUND);
    if (bare !== undefined) {
      const trimmed = bare.replace(ENDS, "");
      // At the end of a text that is still streaming, an address may be the beginning of a seen one.
      const mayBecomeSeen = () => end === text.length && [...seen].some((one) => one.startsWith(bare));
      const isEnded = bare.length - trimmed.length <= MAX_ENDS && isSeen(trimmed, seen);
      const linked = whole.endsWith(">") ? bare : bare.replace(SENTENCE_ENDS, "");
      if (goesOn(whole, before, after) || !(isSeen(linked, seen) || isEnded || mayBecomeSeen()))
        return asText(bare, before, whole, hasTicks);
      return whole.replace(trimmed, () => withGivenFragment(trimmed, seen));
    }
    if (address === undefined) return ":";
    const isBesideLink = linkEnd > 0 && !/\s/.test(between);
    linkEnd = end;
    if (isSeen(address, seen) && isLink(between, after, words)) {
      // If the words of a link are another address, Discord shows everything as written, and that address as a link.
      const said = words.replace(SCHEME, " ");
      return `[${said}${whole.slice(1 + words.length).replace(address, () => withGivenFragment(address, seen))}`;
    }
    const host = normalAddress(address) === null ? "" : ` (${hostOf(address)})`;
    const said = withoutUnseenLinks(words.replace(/[\\`]/g, " "), NOTHING, hasTicks);
    return (isBesideLink ? " " : gapAfter(before)) + said + host;
  });
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Whether Discord reads this as code, too. Code that begins in a quote or a heading ends with that line, so there Discord treats code over
 * several lines as text. Also, its first or last backtick may be inside something that Discord reads as a link and we don't. `between`: the
 * text since the last link that we read.
 */
function isCode(code: string, ticks: string | undefined, before: string, between: string): boolean {
  const isCut = /\n/.test(code) && (ticks || /\S/.test(before.slice(before.lastIndexOf("\n") + 1)));
  const isInLink = between.includes("](") || (code.includes("](") && before.includes("["));
  return !isCut && !isInLink && !/^<[^ >]*$/.test(before.slice(before.lastIndexOf("<")));
}

/**
 * Whether Discord reads this as a link with words, too. Not after a backslash, and not inside what may be the address of another link. If
 * another square bracket is closed after it, all of this may be the words of an outer link. Discord shows those words as written, and an
 * address in them as a link that continues up to a space. It does the same if something that began before the link ends within its words:
 * bold text, or angle brackets.
 */
const isLink = (before: string, after: string, words: string): boolean =>
  !/\]\(|\\$/.test(before) &&
  ((!after.includes("]") && !/[>*_~|]/.test(words)) || /^(?:['’]s)?[.,;:!?'")\]*_~|/]{0,8}(?:[\s<[]|$)/.test(after));

/**
 * Whether, for Discord, the address continues beyond what we read of it. Alone it continues up to a space; in angle brackets up to the closing
 * one, unless a backslash escapes the brackets; in a link with words up to the end of that link, within parentheses even across spaces.
 */
function goesOn(whole: string, before: string, after: string): boolean {
  const isOpened = whole.startsWith("<") || /<\s*$/.test(before);
  if (/\]\(\s*$/.test(before) && (whole.includes("(") || /^[^\s)]/.test(after))) return true;
  if (/^<.*>$/.test(whole)) return before.endsWith("\\");
  return /^.?[\\`>]|^.\]\(/s.test(whole.slice(-1) + after.slice(0, 2)) || (isOpened && /^[^ >]*>/.test(after));
}

/** Returns a space if the text that replaces a link would otherwise form a new address with the letters before it. */
const gapAfter = (before: string): string => (/\w$/.test(before) ? " " : "");

/**
 * Returns the address as inline code, without any scheme: then Discord makes no link of it, even if a stray backtick before it ends the
 * code too early. Where its angle brackets separated it from an address before it, or from letters after it, a space does so now.
 */
function asText(bare: string, before: string, whole: string, hasTicks: boolean): string {
  const text = bare.replace(SCHEME, " ");
  const gap = /\S$/.test(before) ? " " : "";
  // With nothing left in its place, the text after it could become the address of a link, or part of the address before it.
  if (text.trim() === "") return `${gap}:`;
  const address = text.replace(ENDS, "");
  const ends = text.slice(address.length);
  if (hasTicks) return address + ends + (whole.endsWith(">") ? " " : "");
  return `${whole.startsWith("<") ? gap : ""}\`${address.trim()}\`${ends}`;
}

/** An address that begins like this leads to a message or a channel in Discord, and no stranger learns that it was opened. */
const WITHIN_DISCORD = "https://discord.com/channels/";

/**
 * What a browser and Discord read differently. Dots at the end remove the path before them, but not if Discord counts the sentence's
 * punctuation as part of the address; a browser drops control characters only at the end. And a backslash is a slash to a browser, while
 * Discord removes it from the address of a link with words. So a model could put words there that are missing from the normal form.
 */
const UNCLEAR = /\\|\/(\.|%2e)+[^!-~]*$/i;

function isSeen(address: string, seen: ReadonlySet<string>): boolean {
  const normal = normalAddress(address);
  return normal !== null && !UNCLEAR.test(address) && (normal.startsWith(WITHIN_DISCORD) || seen.has(normal));
}

/** Returns a seen address without a fragment that nobody gave, which could tell the page's own script what the model knows. */
function withGivenFragment(address: string, seen: ReadonlySet<string>): string {
  return seen.has(wholeAddress(address) ?? "") ? address : address.replace(/#.*/s, "");
}

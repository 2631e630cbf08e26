// Links of an answer to addresses that nobody gave: a model that obeys a stranger could hide in one what it knows, for whoever clicks
// it. They are shown as text with their host, and nobody can click them. Pure; what is stored stays as the model wrote it.
import { hostOf, MAX_ENDS, normalAddress, wholeAddress } from "./addresses.ts";

/**
 * What Discord leaves as it is: a sign that a backslash makes plain, and code, which ends with as many backticks as it begins with, in the
 * same message, so that the search for its end has one; a link with words; an address. Each is read once. The last is how an address within
 * brackets may begin, too: a browser needs fewer slashes, and of a link with words Discord takes backslashes out before; and what begins one
 * that has first what ends others.
 */
const PART =
  /(\\[\\`]|```\n*[^\n][\s\S]*?```|(`{1,9})[\s\S]{0,2000}?[^`]\2(?!`))|\[([^[\]\n]*)\]\(<?(https?:\/\/[^\s<>()`]*(?:\([^\s<>()`]*\)[^\s<>()`]*)*)>?(?:\s+"[^"\n]*")?\)|<?(https?:\/\/(?:(?!\]\()[^\s<>`\\]|\\(?!\\*`))+)>?|(?=https?\\?:)(?<=\]\([\s<>]*|<\s*(?=\w+:[\\/]))(?:https?\\?:)+|https?:\/\/(?=\S)/gi;
const SCHEME = /(?:https?\\?:[\\/]*)+/gi;
/** It begins only where a run of them does: from each place within one, a search would read the rest again. */
const ENDS = /(?<![.,;:!?'")\]*_~|])[.,;:!?'")\]*_~|]+$/;
/** What Discord never takes for the end of an address, also of one that ends with two dots. */
const SENTENCE_ENDS = /(?<![.,:;"'\]])[.,:;"'\]]+$/;
/** A message is no longer, in UTF-16 units: what is farther away from a link makes it no other one. */
const MOST_AROUND = 4000;

/**
 * Replaces the links whose address is not among `seen` (normal forms). The result is never longer, so it fits where the text did.
 * `hasTicks`: another backtick could end code too early, or begin some, and show a link that was in it.
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
      // At the end of a text that is still being written, the beginning of a seen address is one.
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
    if (isSeen(address, seen) && isLink(between, after)) {
      // Discord shows one whose words are another address as it is written, and that address as a link.
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
 * Is it code to Discord, too? A quote or a heading ends with its line, and code that began in it is none then; and a link that is none for us
 * may have its first backtick, or its last one, in it. `between`: since the last link that we have read.
 */
function isCode(code: string, ticks: string | undefined, before: string, between: string): boolean {
  const isCut = /\n/.test(code) && (ticks || /\S/.test(before.slice(before.lastIndexOf("\n") + 1)));
  const isInLink = between.includes("](") || (code.includes("](") && before.includes("["));
  const opened = before.lastIndexOf("<");
  const isInBrackets = opened >= 0 && !/[ >]/.test(before.slice(opened));
  return !isCut && !isInLink && !isInBrackets;
}

/**
 * Is it a link with words to Discord, too? Not after a backslash, nor in what may be the address of another; and where one more bracket is
 * closed behind it, all of it may be words of one that has an address among them. Discord shows that as it is written: the address continues
 * until a blank.
 */
const isLink = (before: string, after: string): boolean =>
  !/\]\(|\\$/.test(before) && (!after.includes("]") || /^(?:['’]s)?[.,;:!?'")\]*_~|/]{0,8}(?:[\s<[]|$)/.test(after));

/**
 * For Discord an address continues until a blank, in angle brackets until the last of them, where they are no plain signs, and in a link with
 * words until its end: within round brackets also over blanks.
 */
function goesOn(whole: string, before: string, after: string): boolean {
  const isOpened = whole.startsWith("<") || /<\s*$/.test(before);
  if (/\]\(\s*$/.test(before) && (whole.includes("(") || /^[^\s)]/.test(after))) return true;
  if (/^<.*>$/.test(whole)) return before.endsWith("\\");
  return /^.?[\\`>]|^.\]\(/s.test(whole.slice(-1) + after.slice(0, 2)) || (isOpened && /^[^ >]*>/.test(after));
}

/** What is put in the place of a link must not make one with the letters before it. */
const gapAfter = (before: string): string => (/\w$/.test(before) ? " " : "");

/**
 * An address without its scheme is no link to Discord; one inside it would be, where a stray backtick before it ends the code too early. Its
 * angle brackets parted it from an address before it, and from the letters behind it.
 */
function asText(bare: string, before: string, whole: string, hasTicks: boolean): string {
  const text = bare.replace(SCHEME, " ");
  // With nothing left, what follows it could begin the address of a link in its place.
  if (text.trim() === "") return `${gapAfter(before)}:`;
  const address = text.replace(ENDS, "");
  const ends = text.slice(address.length);
  if (hasTicks) return address + ends + (whole.endsWith(">") ? " " : "");
  return `${whole.startsWith("<") && /\S$/.test(before) ? " " : ""}\`${address.trim()}\`${ends}`;
}

/** It leads to a message or a channel, which no stranger gets to know of. */
const WITHIN_DISCORD = "https://discord.com/channels/";

function isSeen(address: string, seen: ReadonlySet<string>): boolean {
  const normal = normalAddress(address);
  return normal !== null && (normal.startsWith(WITHIN_DISCORD) || seen.has(normal));
}

/** A seen address. A fragment that nobody gave could tell the page's own script what the model knows, so it is left out. */
function withGivenFragment(address: string, seen: ReadonlySet<string>): string {
  return seen.has(wholeAddress(address) ?? "") ? address : address.replace(/#.*/s, "");
}

// Links of an answer to addresses that nobody gave: a model that obeys a stranger could hide in one what it knows, for whoever clicks
// it. They are shown as text with their host, and nobody can click them. Pure; what is stored stays as the model wrote it.
import { hostOf, MAX_ENDS, normalAddress, wholeAddress } from "./addresses.ts";

/**
 * What Discord leaves as it is: a sign that a backslash makes plain, and code, which ends with as many backticks as it begins with, in the
 * same message, so that the search for its end has one; a link with words; an address. Each is read once. The last is how the address of a
 * link with words may begin, too: Discord takes backslashes out of it and reads the rest as a browser does.
 */
const PART =
  /(\\[\\`]|```\n*[^\n][\s\S]*?```|(`{1,9})[\s\S]{0,2000}?[^`]\2(?!`))|\[([^[\]\n]*)\]\(<?(https?:\/\/[^\s<>()`]*(?:\([^\s<>()`]*\)[^\s<>()`]*)*)>?(?:\s+"[^"\n]*")?\)|<?(https?:\/\/(?:(?!\]\()[^\s<>`\\]|\\(?!\\*`))+)>?|(?=https?\\?:)(?<=\]\([\s<>]*)(?:https?\\?:)+/gi;
const SCHEME = /(?:https?\\?:[\\/]*)+/gi;
/** It begins only where a run of them does: from each place within one, a search would read the rest again. */
const ENDS = /(?<![.,;:!?'")\]*_~|])[.,;:!?'")\]*_~|]+$/;

/**
 * Replaces the links whose address is not among `seen` (normal forms). The result is never longer, so it fits where the text did.
 * `hasTicks`: another backtick could end code too early, or begin some, and show a link that was in it.
 */
export function withoutUnseenLinks(text: string, seen: ReadonlySet<string>, hasTicks = /[\\`]/.test(text)): string {
  return text.replace(PART, (whole, code, ticks, words, address, bare, at: number) => {
    // A quote or a heading ends with its line, and code that began in it is none then.
    if (code)
      return /\n/.test(code) && (ticks || /\S/.test(text.slice(text.lastIndexOf("\n", at) + 1, at)))
        ? code.replace(SCHEME, " ")
        : code;
    const end = at + whole.length;
    // For Discord an address continues until a blank, unless it is in angle brackets.
    const goesOn = whole[0] !== "<" && /^.?[\\`>]|^.\]\(/s.test(text.slice(end - 1, end + 2));
    if (bare !== undefined) {
      const trimmed = bare.replace(ENDS, "");
      // At the end of a text that is still being written, the beginning of a seen address is one.
      const mayBecomeSeen = () => end === text.length && [...seen].some((one) => one.startsWith(bare));
      const isEnded = bare.length - trimmed.length <= MAX_ENDS && isSeen(trimmed, seen);
      if (goesOn || !(isSeen(bare, seen) || isEnded || mayBecomeSeen())) return asText(bare, hasTicks);
      return whole.replace(trimmed, () => withGivenFragment(trimmed, seen));
    }
    if (address === undefined) return ":";
    if (isSeen(address, seen)) {
      // Discord shows one whose words are another address as it is written, and that address as a link.
      const said = withoutUnseenLinks(words, seen, true);
      return `[${said}${whole.slice(1 + words.length).replace(address, () => withGivenFragment(address, seen))}`;
    }
    const host = normalAddress(address) === null ? "" : ` (${hostOf(address)})`;
    return withoutUnseenLinks(words.replace(/[\\`]/g, " "), seen, hasTicks) + host;
  });
}

/** An address without its scheme is no link to Discord; one inside it would be, where a stray backtick before it ends the code too early. */
function asText(bare: string, hasTicks: boolean): string {
  const text = bare.replace(SCHEME, " ");
  // With nothing left, what follows it could begin the address of a link in its place.
  if (text.trim() === "") return ":";
  const address = text.replace(ENDS, "");
  return (hasTicks ? address : `\`${address.trim()}\``) + text.slice(address.length);
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

// Links of an answer to addresses that nobody gave: a model that obeys a stranger could hide in one what it knows, for whoever clicks
// it. They are shown as text with their host, and nobody can click them. Pure; what is stored stays as the model wrote it.
import { hostOf, normalAddress } from "./addresses.ts";

/** Code, which Discord leaves as it is; a link with words; an address. Each is read once. */
const PART =
  /(```[\s\S]*?(?:```|$)|`[^`\n]+`)|\[([^[\]\n]*)\]\(<?(https?:\/\/[^\s<>()`]*(?:\([^\s<>()`]*\)[^\s<>()`]*)*)>?(?:\s+"[^"\n]*")?\)|<?(https?:\/\/[^\s<>`]+)>?/gi;
/** It begins only where a run of them does: from each place within one, a search would read the rest again. */
const ENDS = /(?<![.,;:!?'")\]*_~|])[.,;:!?'")\]*_~|]+$/;

/** Replaces the links whose address is not among `seen` (normal forms). The result is never longer, so it fits where the text did. */
export function withoutUnseenLinks(text: string, seen: ReadonlySet<string>): string {
  return text.replace(PART, (whole, code, words, address, bare, at: number) => {
    if (code !== undefined) return whole;
    const isLast = at + whole.length === text.length;
    if (bare !== undefined) return isSeen(bare, seen, isLast) ? whole : asText(bare);
    if (isSeen(address, seen, false)) return whole;
    const host = normalAddress(address) === null ? "" : ` (${hostOf(address)})`;
    return withoutUnseenLinks(words, seen) + host;
  });
}

/** An address without its scheme is no link to Discord; one inside it would be, where a stray backtick before it ends the code too early. */
function asText(bare: string): string {
  const [end = ""] = bare.match(ENDS) ?? [];
  const address = bare.slice(0, bare.length - end.length);
  return `\`${address.replace(/https?:\/\//gi, "")}\`${end}`;
}

/** It leads to a message or a channel, which no stranger gets to know of. */
const WITHIN_DISCORD = "https://discord.com/channels/";

/** At the end of a text that is still being written, the beginning of a seen address is one. */
function isSeen(address: string, seen: ReadonlySet<string>, isLast: boolean): boolean {
  const [whole, trimmed] = [address, address.replace(ENDS, "")].map(normalAddress);
  if (whole?.startsWith(WITHIN_DISCORD)) return true;
  if ((whole && seen.has(whole)) || (trimmed && seen.has(trimmed))) return true;
  return isLast && [...seen].some((one) => one.startsWith(address));
}

// Names as a model reads them: of who speaks and of what a message mentions. Discord writes mentions as ids, which mean nothing to a model.
import { firstPoints } from "../markdown/code-points.ts";
import { onceExpression } from "../once.ts";

/** Names of people (`@id`), channels (`#id`) and roles (`&id`). */
export type MentionNames = Readonly<Record<string, string>>;

const MAX_NAME = 32;
const NAMELESS = "someone";
/** Control, format and unassigned characters, and those that are drawn as nothing. */
const unseen = onceExpression("[\\p{C}\\p{Default_Ignorable_Code_Point}]", "gu");
const HEADER_SIGNS = /[[\]·:<>@`]/g;
/** What parts a name from a person's number, a reply, `bot` or `you` in a line of ours: any sign may pass for the one that does. */
const parting = onceExpression(
  // Only from the first sign on: a search from each of them would take the square of their number.
  "(?<![^\\p{L}\\p{M}\\p{N}])[^\\p{L}\\p{M}\\p{N}]+(?=(?:u|re\\s?m)\\s?\\p{N}|(?:bot|you)(?!\\p{L}))",
  "giu",
);

/** The text without characters that no one sees. */
export const seenText = (text: string): string => text.replace(unseen(), "");

/** A name on one line, with nothing in it that a header or a mention is made of. */
export function cleanName(name: string): string {
  const seen = seenText(name.normalize("NFKC").replace(/\s/g, " ")).replace(HEADER_SIGNS, "");
  const kept = seen.replace(parting(), " ").replace(/ +/g, " ").trim();
  return firstPoints(kept, MAX_NAME).trim() || NAMELESS;
}

/** `<@id>`, `<@!id>` (an old form of it), `<#id>`, `<@&id>` (Discord's message formatting). */
const MENTION = /<(@[!&]?|#)(\d{1,20})>/g;
const EMOJI = /<a?:(\w{1,32}):\d{1,20}>/g;

const keyOf = (sign: string, id: string): string => (sign === "@!" ? "@" : sign.slice(-1)) + id;

/** What a text mentions, as keys of `MentionNames`, each once. */
export const mentionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(MENTION)].map(([, sign = "", id = ""]) => keyOf(sign, id))),
];

/** The text with names for mentions: `@Name`, `#name`, `@role`. What has no name stays as it is. */
export const nameMentions = (text: string, names: MentionNames): string =>
  text.replace(MENTION, (mention, sign: string, id: string) => {
    const name = names[keyOf(sign, id)];
    return name === undefined ? mention : `${sign === "#" ? "#" : "@"}${cleanName(name)}`;
  });

/** The text with the names of mentions, and with custom emoji as `:name:`. */
export const withNames = (text: string, names: MentionNames = {}): string =>
  nameMentions(text, names).replace(EMOJI, ":$1:");

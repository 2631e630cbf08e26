// Prepares names for a model: of speakers and of what a message mentions. Discord writes mentions as ids, which mean nothing to a model.
import { firstPoints } from "../markdown/code-points.ts";
import { onceExpression } from "../once.ts";
import { inOneForm } from "./one-form.ts";

/** Names of people (`@id`), channels (`#id`) and roles (`&id`). */
export type MentionNames = Readonly<Record<string, string>>;

const MAX_NAME = 32;
const NAMELESS = "someone";
/** Control, format and unassigned characters, and those that are not drawn. */
const unseen = onceExpression("[\\p{C}\\p{Default_Ignorable_Code_Point}]", "gu");
const HEADER_SIGNS = /[[\]·:<>@`]/g;
/** What may look like the separator between a name and a person's number, a reply, `bot` or `you` in our headers: any symbol may. */
const parting = onceExpression(
  // Matches only from the first symbol of a run: a search from each of them would take quadratic time.
  "(?<![^\\p{L}\\p{M}\\p{N}])[^\\p{L}\\p{M}\\p{N}]+(?=(?:u|re\\s?m)\\s?\\p{N}|(?:bot|you)(?!\\p{L}))",
  "giu",
);

/** Removes invisible characters. */
export const seenText = (text: string): string => text.replace(unseen(), "");

/** Puts a name on one line, without the characters that make up a header or a mention. */
export function cleanName(name: string): string {
  const seen = seenText(inOneForm(name).replace(/\s/g, " ")).replace(HEADER_SIGNS, "");
  const kept = seen.replace(parting(), " ").replace(/ +/g, " ").trim();
  return firstPoints(kept, MAX_NAME).trim() || NAMELESS;
}

/** `<@id>`, `<@!id>` (an old form of it), `<#id>`, `<@&id>` (Discord's message formatting). */
const MENTION = /<(@[!&]?|#)(\d{1,20})>/g;
const EMOJI = /<a?:(\w{1,32}):\d{1,20}>/g;

const keyOf = (sign: string, id: string): string => (sign === "@!" ? "@" : sign.slice(-1)) + id;

/** Returns what a text mentions, as keys of `MentionNames`, each once. */
export const mentionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(MENTION)].map(([, sign = "", id = ""]) => keyOf(sign, id))),
];

/** Replaces mentions with names: `@Name`, `#name`, `@role`. A mention without a known name stays as it is. */
export const nameMentions = (text: string, names: MentionNames): string =>
  text.replace(MENTION, (mention, sign: string, id: string) => {
    const name = names[keyOf(sign, id)];
    return name === undefined ? mention : `${sign === "#" ? "#" : "@"}${cleanName(name)}`;
  });

/** Replaces mentions with names, and custom emoji with `:name:`. */
export const withNames = (text: string, names: MentionNames = {}): string =>
  nameMentions(text, names).replace(EMOJI, ":$1:");

// Reads the names of the people, roles and channels that a text mentions. For a command, Discord lists them in `resolved`: those in options
// that ask for one, and also those mentioned in text options (JDA documents it: "resolved mentions for a STRING option"). A message lists the
// people itself.
import type { MentionNames } from "../../core/transcript/names.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value; anything but an object has none of those that we ask for. */
const fieldsOf = (value: unknown): Fields => Object(value);
const allOf = (value: unknown): unknown[] => Object.values(fieldsOf(value));
/** Lists the entries of a part of `resolved`, each with its id. */
const byId = (value: unknown): unknown[] =>
  Object.entries(fieldsOf(value)).map(([id, one]) => ({ ...fieldsOf(one), id }));

/** Reads the names; for people, those that they have in this server. Skips entries of an unknown shape. Never throws. */
export function resolvedNames(resolved: unknown): MentionNames {
  const { users, members, roles, channels, messages } = fieldsOf(resolved);
  return Object.fromEntries([
    ...namesOf("@", allOf(messages).flatMap(mentionedBy)),
    ...namesOf("@", byId(users), members),
    ...namesOf("&", byId(roles)),
    ...namesOf("#", byId(channels)),
  ]);
}

/** Lists the people whom a message mentions, after those in a message that it forwards. */
export function mentionedBy(message: unknown): unknown[] {
  const forwarded = allOf(fieldsOf(message).message_snapshots).map((one) => fieldsOf(one).message);
  return [...forwarded, message].flatMap((one) => allOf(fieldsOf(one).mentions));
}

/** Returns the names by mention sign and id. `members` has people's names in this server, if the entries don't bring them along. */
export const namesOf = (sign: "@" | "&" | "#", all: readonly unknown[], members?: unknown): [string, string][] =>
  all.map(fieldsOf).flatMap(({ id, member, name, global_name, username }) => {
    if (typeof id !== "string") return [];
    const { nick } = fieldsOf(fieldsOf(members)[id] ?? member);
    // Only roles and channels have a field `name`.
    const found = nick ?? name ?? global_name ?? username;
    return typeof found === "string" ? [[sign + id, found.toWellFormed()]] : [];
  });

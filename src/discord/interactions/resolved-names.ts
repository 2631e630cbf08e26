// The names of what words mention, as Discord's JSON brings them along. For a command it lists the people, roles and channels in `resolved`:
// for options that ask for one, and also for mentions in an option of words (JDA documents it: "resolved mentions for a STRING option"). A
// message names its people itself.
import type { MentionNames } from "../../core/transcript/names.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What is no object has none of the fields that we ask for. */
const fieldsOf = (value: unknown): Fields => Object(value);
const allOf = (value: unknown): unknown[] => Object.values(fieldsOf(value));
/** What `resolved` lists by its id. */
const byId = (value: unknown): unknown[] =>
  Object.entries(fieldsOf(value)).map(([id, one]) => ({ ...fieldsOf(one), id }));

/** Reads the names, of people as this server calls them. What has another shape has no name. Never throws. */
export function resolvedNames(resolved: unknown): MentionNames {
  const { users, members, roles, channels, messages } = fieldsOf(resolved);
  return Object.fromEntries([
    ...namesOf("@", allOf(messages).flatMap(mentionedBy)),
    ...namesOf("@", byId(users), members),
    ...namesOf("&", byId(roles)),
    ...namesOf("#", byId(channels)),
  ]);
}

/** The people whom a message mentions, after those of one that it forwards. */
export function mentionedBy(message: unknown): unknown[] {
  const forwarded = allOf(fieldsOf(message).message_snapshots).map((one) => fieldsOf(one).message);
  return [...forwarded, message].flatMap((one) => allOf(fieldsOf(one).mentions));
}

/** The names by the sign of a mention and the id. `members`: people as this server calls them, where they don't come with each. */
export const namesOf = (sign: "@" | "&" | "#", all: readonly unknown[], members?: unknown): [string, string][] =>
  all.map(fieldsOf).flatMap(({ id, member, name, global_name, username }) => {
    if (typeof id !== "string") return [];
    const { nick } = fieldsOf(fieldsOf(members)[id] ?? member);
    // Only roles and channels have a field `name`.
    const found = nick ?? name ?? global_name ?? username;
    return typeof found === "string" ? [[sign + id, found.toWellFormed()]] : [];
  });

// The names of what a command's words mention. Discord lists the people, roles and channels in `resolved`: for options that ask for one,
// and also for mentions in an option of words (JDA documents it: "resolved mentions for a STRING option").
import type { MentionNames } from "../../core/transcript/names.ts";

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? { ...value } : {});

/** Reads the names, of people as this server calls them. What has another shape has no name. Never throws. */
export function resolvedNames(resolved: unknown): MentionNames {
  const { users, members, roles, channels } = fieldsOf(resolved);
  const nicks = fieldsOf(members);
  return {
    ...named("@", users, (one, id) => fieldsOf(nicks[id]).nick ?? one.global_name ?? one.username),
    ...named("&", roles, ({ name }) => name),
    ...named("#", channels, ({ name }) => name),
  };
}

const named = (sign: string, all: unknown, nameOf: (one: Fields, id: string) => unknown): MentionNames =>
  Object.fromEntries(
    Object.entries(fieldsOf(all)).flatMap(([id, one]) => {
      const name = nameOf(fieldsOf(one), id);
      return typeof name === "string" ? [[sign + id, name]] : [];
    }),
  );

// Reads what the bot's own token gets about a channel, a server or a member, as far as permissions depend on it.
import { array, boolean, looseObject, nullable, number, optional, string } from "zod/mini";
import { once } from "../../core/once.ts";
import { withEveryonesRole } from "../../core/state/access-lists.ts";
import type { Overwrite, PermissionQuestion } from "../../core/state/channel-permissions.ts";

/** A channel or thread (docs: resources/channel, "Channel Object"). */
export interface ChannelFacts {
  type: number;
  guildId: string | null;
  isThread: boolean;
  /** The channel of a thread, or the category of a channel. */
  parentId: string | null;
  /** Null if Discord named none. A thread has none itself. */
  overwrites: readonly Overwrite[] | null;
  /** Whether Discord lets only adults in. Always false for a thread, where the parent's setting applies. */
  isAgeRestricted: boolean;
  name: string | null;
}

/** A server with its roles (docs: resources/guild, "Guild Object"). */
export interface GuildFacts extends NonNullable<PermissionQuestion["guild"]> {
  /** The ids of the roles that Discord manages for bots, by the bot's user id. */
  botRoles: ReadonlyMap<string, string>;
  roleNames: ReadonlyMap<string, string>;
}

const id = () => nullable(string());
const channelShape = once(() =>
  looseObject({
    type: number(),
    guild_id: optional(string()),
    parent_id: optional(id()),
    nsfw: optional(boolean()),
    name: optional(id()),
    permission_overwrites: optional(array(looseObject({ id: string(), allow: string(), deny: string() }))),
  }),
);
const guildShape = once(() =>
  looseObject({
    owner_id: optional(id()),
    roles: array(
      looseObject({
        id: string(),
        name: optional(string()),
        permissions: string(),
        tags: optional(looseObject({ bot_id: optional(id()) })),
      }),
    ),
  }),
);

const memberShape = once(() => looseObject({ roles: array(string()) }));

/** Reads the ids of a person's roles (`GET /guilds/{id}/members/{id}`), including the one that everyone has; null if the answer isn't a member. */
export function readMemberRoles(json: unknown, guildId: string): readonly string[] | null {
  const { data } = memberShape().safeParse(json);
  return data ? withEveryonesRole(data.roles, guildId) : null;
}

/** Announcement threads, public threads and private threads. */
const THREADS = [10, 11, 12];

/** Reads `GET /channels/{id}`; null if the answer isn't a channel. */
export function readChannelFacts(json: unknown): ChannelFacts | null {
  const { data } = channelShape().safeParse(json);
  if (!data) return null;
  return {
    type: data.type,
    guildId: data.guild_id ?? null,
    isThread: THREADS.includes(data.type),
    parentId: data.parent_id ?? null,
    overwrites: data.permission_overwrites ?? null,
    isAgeRestricted: data.nsfw === true,
    name: data.name ?? null,
  };
}

/** Reads `GET /guilds/{id}`; null if the answer isn't a server. */
export function readGuildFacts(json: unknown): GuildFacts | null {
  const { data } = guildShape().safeParse(json);
  if (!data) return null;
  const botRoles = data.roles.flatMap(({ id: roleId, tags }) => (tags?.bot_id ? [[tags.bot_id, roleId] as const] : []));
  const names = data.roles.flatMap(({ id: roleId, name }) => (name === undefined ? [] : [[roleId, name] as const]));
  return {
    ownerId: data.owner_id ?? null,
    roles: data.roles,
    botRoles: new Map(botRoles),
    roleNames: new Map(names),
  };
}

// Computes what a member may do in a channel: adds up the server's roles and the channel's overwrites as Discord does (docs:
// topics/permissions).
import type { Channel, Overwrite, Server } from "./servers.ts";
import type { World } from "./world.ts";

const MANAGE_GUILD = 1n << 5n;
const ADD_REACTIONS = 1n << 6n;
const ADMINISTRATOR = 1n << 3n;
/** Without this permission, a channel is invisible. */
export const VIEW_CHANNEL = 1n << 10n;
const SEND_MESSAGES = 1n << 11n;
/** Lets somebody delete the messages of others. */
export const MANAGE_MESSAGES = 1n << 13n;
const EMBED_LINKS = 1n << 14n;
const ATTACH_FILES = 1n << 15n;
const READ_MESSAGE_HISTORY = 1n << 16n;
/** Lets somebody notify everyone. */
export const MENTION_EVERYONE = 1n << 17n;
const USE_EXTERNAL_EMOJIS = 1n << 18n;
/** Lets the application create webhooks, and so post under other names. */
export const MANAGE_WEBHOOKS = 1n << 29n;
const USE_APPLICATION_COMMANDS = 1n << 31n;
const CREATE_PUBLIC_THREADS = 1n << 35n;
const SEND_MESSAGES_IN_THREADS = 1n << 38n;
const SEND_POLLS = 1n << 49n;
const PIN_MESSAGES = 1n << 51n;
/** Every bit: Discord sets them all for owners and administrators. */
const EVERYTHING = (1n << 53n) - 1n;

/** The permissions of the @everyone role. */
export const EVERYONE =
  VIEW_CHANNEL |
  SEND_MESSAGES |
  EMBED_LINKS |
  ATTACH_FILES |
  READ_MESSAGE_HISTORY |
  ADD_REACTIONS |
  USE_APPLICATION_COMMANDS |
  SEND_MESSAGES_IN_THREADS |
  CREATE_PUBLIC_THREADS |
  SEND_POLLS;
/** The additional permissions of moderators. */
export const MODERATION = MANAGE_MESSAGES | MANAGE_GUILD | PIN_MESSAGES | MENTION_EVERYONE;
/** The application's permissions in a conversation between people. */
const APPLICATION_ELSEWHERE = ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE;

/** Computes a person's permissions in a server's channel; none if they are not a member. */
export function computePermissions(world: World, channel: Channel, memberId: string): bigint {
  const server = world.servers.get(channel.serverId ?? "");
  const roles = server?.members.get(memberId);
  if (!server || !roles) return 0n;
  const base = addUpRoles(server, memberId, roles);
  if (base === EVERYTHING) return base;
  // A thread uses the overwrites of its parent.
  const { overwrites = [] } = world.channels.get(channel.parentId ?? "") ?? channel;
  const isForEveryone = ({ id }: Overwrite) => id === server.id;
  return [
    overwrites.filter(isForEveryone),
    overwrites.filter((one) => !isForEveryone(one) && roles.includes(one.id)),
    overwrites.filter(({ id }) => id === memberId),
  ].reduce((bits, some) => (bits & ~unite(some, "deny")) | unite(some, "allow"), base);
}

/** Computes the application's permissions in any channel, in a server or outside. */
export function applicationPermissions(world: World, channel: Channel): bigint {
  if (channel.type === 1) return APPLICATION_ELSEWHERE | USE_EXTERNAL_EMOJIS;
  if (channel.type === 3) return APPLICATION_ELSEWHERE;
  const held = computePermissions(world, channel, world.applicationId);
  return world.options.botManagesWebhooks ? held : held & ~MANAGE_WEBHOOKS;
}

/** Whether this person can see the channel. */
export function canSee(world: World, channel: Channel, personId: string): boolean {
  if (channel.recipientIds) return channel.recipientIds.includes(personId);
  return (computePermissions(world, channel, personId) & VIEW_CHANNEL) !== 0n;
}

/** A person's rank in a server. */
export type Rank = "owner" | "moderator" | "member";

/** Finds a person's rank in a server; null if they are not a member. */
export function findRank(server: Server, personId: string): Rank | null {
  const roles = server.members.get(personId);
  if (!roles) return null;
  if (server.ownerId === personId) return "owner";
  return addUpRoles(server, personId, roles) & MODERATION ? "moderator" : "member";
}

/** Adds up the permissions of a member's roles. The @everyone role has the server's id. */
function addUpRoles(server: Server, memberId: string, roles: readonly string[]): bigint {
  const held = server.roles
    .filter(({ id }) => id === server.id || roles.includes(id))
    .reduce((bits, { permissions }) => bits | permissions, 0n);
  return server.ownerId === memberId || held & ADMINISTRATOR ? EVERYTHING : held;
}

const unite = (some: readonly Overwrite[], side: "allow" | "deny"): bigint =>
  some.reduce((bits, one) => bits | one[side], 0n);

// What a member may do in a channel: the roles of the server and the overwrites of the channel, added up as Discord does (docs:
// topics/permissions).
import type { Channel, Overwrite, Server } from "./servers.ts";
import type { World } from "./world.ts";

const MANAGE_GUILD = 1n << 5n;
const ADD_REACTIONS = 1n << 6n;
const ADMINISTRATOR = 1n << 3n;
/** Without it a channel is not there. */
export const VIEW_CHANNEL = 1n << 10n;
const SEND_MESSAGES = 1n << 11n;
/** What lets somebody delete the messages of others. */
export const MANAGE_MESSAGES = 1n << 13n;
const EMBED_LINKS = 1n << 14n;
const ATTACH_FILES = 1n << 15n;
const READ_MESSAGE_HISTORY = 1n << 16n;
/** What lets somebody notify everyone. */
export const MENTION_EVERYONE = 1n << 17n;
const USE_EXTERNAL_EMOJIS = 1n << 18n;
/** What lets the application post as somebody else. */
export const MANAGE_WEBHOOKS = 1n << 29n;
const USE_APPLICATION_COMMANDS = 1n << 31n;
const CREATE_PUBLIC_THREADS = 1n << 35n;
const SEND_MESSAGES_IN_THREADS = 1n << 38n;
const SEND_POLLS = 1n << 49n;
const PIN_MESSAGES = 1n << 51n;
/** Discord sets every bit for those who may do everything. */
const EVERYTHING = (1n << 53n) - 1n;

/** The role of everyone. */
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
/** What moderators may do besides. */
export const MODERATION = MANAGE_MESSAGES | MANAGE_GUILD | PIN_MESSAGES | MENTION_EVERYONE;
/** What the application may do in a conversation between people. */
const APPLICATION_ELSEWHERE = ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE;

/** A person's permissions in a channel of a server; none for those who are not members of it. */
export function computePermissions(world: World, channel: Channel, memberId: string): bigint {
  const server = world.servers.get(channel.serverId ?? "");
  const roles = server?.members.get(memberId);
  if (!server || !roles) return 0n;
  const base = addUpRoles(server, memberId, roles);
  if (base === EVERYTHING) return base;
  // A thread has the overwrites of its parent.
  const { overwrites = [] } = world.channels.get(channel.parentId ?? "") ?? channel;
  const isForEveryone = ({ id }: Overwrite) => id === server.id;
  return [
    overwrites.filter(isForEveryone),
    overwrites.filter((one) => !isForEveryone(one) && roles.includes(one.id)),
    overwrites.filter(({ id }) => id === memberId),
  ].reduce((bits, some) => (bits & ~unite(some, "deny")) | unite(some, "allow"), base);
}

/** The application's permissions in a channel, wherever it is. */
export function applicationPermissions(world: World, channel: Channel): bigint {
  if (channel.type === 1) return APPLICATION_ELSEWHERE | USE_EXTERNAL_EMOJIS;
  if (channel.type === 3) return APPLICATION_ELSEWHERE;
  const held = computePermissions(world, channel, world.applicationId);
  return world.options.botManagesWebhooks ? held : held & ~MANAGE_WEBHOOKS;
}

/** True if the channel is on this person's screen. */
export function canSee(world: World, channel: Channel, personId: string): boolean {
  if (channel.recipientIds) return channel.recipientIds.includes(personId);
  return (computePermissions(world, channel, personId) & VIEW_CHANNEL) !== 0n;
}

/** Somebody's place in a server. */
export type Rank = "owner" | "moderator" | "member";

/** A person's place in a server; null for those who are not members. */
export function findRank(server: Server, personId: string): Rank | null {
  const roles = server.members.get(personId);
  if (!roles) return null;
  if (server.ownerId === personId) return "owner";
  return addUpRoles(server, personId, roles) & MODERATION ? "moderator" : "member";
}

/** The role of everyone has the server's id. */
function addUpRoles(server: Server, memberId: string, roles: readonly string[]): bigint {
  const held = server.roles
    .filter(({ id }) => id === server.id || roles.includes(id))
    .reduce((bits, { permissions }) => bits | permissions, 0n);
  return server.ownerId === memberId || held & ADMINISTRATOR ? EVERYTHING : held;
}

const unite = (some: readonly Overwrite[], side: "allow" | "deny"): bigint =>
  some.reduce((bits, one) => bits | one[side], 0n);

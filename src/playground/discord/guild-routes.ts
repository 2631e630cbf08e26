// The routes through which the bot finds out who can see what: a channel, a server with its roles, a member. All need its token.
import { refuseChannel } from "./channel-routes.ts";
import { refuse } from "./errors.ts";
import { type Route, route } from "./routes.ts";
import type { Channel, Overwrite, Server } from "./servers.ts";
import { userJson } from "./wire.ts";
import type { World } from "./world.ts";

/** Every route of this file. */
export const guildRoutes: Route[] = [
  route("GET", "/channels/{channel}", { auth: "bot" }, (world, { params: { channel: id = "" } }) => {
    const channel = world.channels.get(id);
    const refusal = refuseChannel(world, id);
    if (refusal || !channel) return refusal ?? refuse("unknownChannel");
    return { status: 200, body: storedChannelJson(world, channel) };
  }),
  route("GET", "/guilds/{guild}", { auth: "bot" }, (world, { params: { guild = "" } }) => {
    const server = findServer(world, guild);
    return server ? { status: 200, body: guildJson(world, server) } : refuse("missingAccess");
  }),
  route("GET", "/guilds/{guild}/roles", { auth: "bot" }, (world, { params: { guild = "" } }) => {
    const server = findServer(world, guild);
    return server ? { status: 200, body: rolesJson(world, server) } : refuse("missingAccess");
  }),
  route("GET", "/guilds/{guild}/members/{user}", { auth: "bot" }, (world, { params: { guild = "", user = "" } }) => {
    const server = findServer(world, guild);
    if (!server) return refuse("missingAccess");
    const roles = server.members.get(user);
    if (!roles) return refuse(world.people.has(user) ? "unknownMember" : "unknownUser");
    return { status: 200, body: { user: userJson(world, user), roles } };
  }),
];

const findServer = (world: World, id: string): Server | undefined =>
  world.options.botIsMember ? world.servers.get(id) : undefined;

/** Builds a channel as the bot's own token reads it. A person's DM has them as its recipient. */
export function storedChannelJson(world: World, channel: Channel): Record<string, unknown> {
  const { id, name, type, parentId, serverId, recipientIds, overwrites = [] } = channel;
  if (recipientIds)
    return { id, type, flags: 0, last_message_id: null, recipients: recipientIds.map((one) => userJson(world, one)) };
  return {
    ...{ id, name, type, guild_id: serverId, permission_overwrites: overwrites.map(overwriteJson) },
    ...(parentId && { parent_id: parentId }),
  };
}

const overwriteJson = ({ id, type, allow, deny }: Overwrite) => ({ id, type, allow: `${allow}`, deny: `${deny}` });

function guildJson(world: World, server: Server): Record<string, unknown> {
  const { id, name, ownerId } = server;
  return { id, name, owner_id: ownerId, roles: rolesJson(world, server) };
}

/** Builds the roles of a server (docs: topics/permissions, "Role Object"). Discord manages the application's own role. */
export const rolesJson = (world: World, { id: serverId, roles, members }: Server): Record<string, unknown>[] =>
  roles.map(({ id, name, permissions }, position) => {
    const managed = id !== serverId && Boolean(members.get(world.applicationId)?.includes(id));
    return {
      ...{ id, name, permissions: `${permissions}`, position, managed, mentionable: false, hoist: false, flags: 0 },
      ...{ color: 0, colors: { primary_color: 0, secondary_color: null, tertiary_color: null } },
      ...{ icon: null, unicode_emoji: null },
      ...(managed && { tags: { bot_id: world.applicationId } }),
    };
  });

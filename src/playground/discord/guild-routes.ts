// The routes by which the bot reads who can see what: a channel, the server with its roles, a member. All need its token.
import { refuseChannel } from "./channel-routes.ts";
import { refuse } from "./errors.ts";
import { type Route, route } from "./routes.ts";
import { memberPermissions, userJson } from "./wire.ts";
import { isInGuild, type World } from "./world.ts";

/** The id of the role that moderators have. */
const MODERATORS = "1180000000000000003";

/** Every route of this file. */
export const guildRoutes: Route[] = [
  route("GET", "/channels/{channel}", { auth: "bot" }, (world, { params: { channel: id = "" } }) => {
    const channel = world.channels.get(id);
    const refusal = refuseChannel(world, id);
    if (refusal || !channel) return refusal ?? refuse("unknownChannel");
    const { name, type, parentId } = channel;
    const guild = isInGuild(world, id) ? { guild_id: world.guildId, permission_overwrites: [] } : {};
    return { status: 200, body: { id, name, type, ...guild, ...(parentId && { parent_id: parentId }) } };
  }),
  route("GET", "/guilds/{guild}", { auth: "bot" }, (world, { params: { guild = "" } }) =>
    isOurs(world, guild) ? { status: 200, body: guildJson(world) } : refuse("missingAccess"),
  ),
  route("GET", "/guilds/{guild}/members/{user}", { auth: "bot" }, (world, { params: { guild = "", user = "" } }) => {
    if (!isOurs(world, guild)) return refuse("missingAccess");
    const person = world.people.get(user);
    if (!person) return refuse("unknownUser");
    return { status: 200, body: { user: userJson(world, user), roles: person.moderator ? [MODERATORS] : [] } };
  }),
];

const isOurs = (world: World, guild: string): boolean => world.options.botIsMember && guild === world.guildId;

/** The role of everyone has the server's id. No one here owns the server. */
const guildJson = ({ guildId }: World) => ({
  id: guildId,
  owner_id: null,
  roles: [
    { id: guildId, name: "@everyone", permissions: memberPermissions(false) },
    { id: MODERATORS, name: "Moderators", permissions: memberPermissions(true) },
  ],
});

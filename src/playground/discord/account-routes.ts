// The routes that read the application and open a direct message with a person. Both need the bot's token.
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../key.ts";
import { type Answer, invalidForm, refuse } from "./errors.ts";
import { storedChannelJson } from "./guild-routes.ts";
import { type Call, type Route, route } from "./routes.ts";
import type { Channel } from "./servers.ts";
import { BOT_NAME, userJson } from "./wire.ts";
import { PEOPLE, type World } from "./world.ts";

/** The team's id. Discord also creates a user with that id, who owns the team's applications. */
const TEAM = "1180000000000000005";

/** Every route of this file. */
export const accountRoutes: Route[] = [
  route("GET", "/applications/@me", { auth: "bot" }, (world) => ({ status: 200, body: applicationJson(world) })),
  route("POST", "/users/@me/channels", { auth: "bot", body: "directMessage" }, openDirectMessage),
];

/** Returns the ids of the people who own the application. */
export const applicationOwners = ({ options }: World): readonly string[] => options.team ?? [PEOPLE.juno];

const MESSAGE_CONTENT_LIMITED = 1 << 19;

/** Returns the flags of an application with at most 10,000 users: whether the Message Content intent is switched on. */
export const applicationFlags = ({ options }: World): number =>
  options.messageContentIntent ? MESSAGE_CONTENT_LIMITED : 0;

/** Builds the application as its own token reads it. */
export function applicationJson(world: World): Record<string, unknown> {
  const { team } = world.options;
  return {
    id: world.applicationId,
    name: BOT_NAME,
    icon: null,
    description: "",
    type: null,
    flags: applicationFlags(world),
    flags_new: `${applicationFlags(world)}`,
    bot: userJson(world, world.applicationId),
    bot_public: true,
    bot_require_code_grant: false,
    integration_types_config: world.installSettings,
    verify_key: DEVELOPMENT_PUBLIC_KEY_HEX,
    redirect_uris: [],
    interactions_endpoint_url: world.options.interactionsEndpoint ? world.endpointUrl : null,
    role_connections_verification_url: null,
    owner: team ? teamUserJson() : userJson(world, PEOPLE.juno),
    approximate_guild_count: world.servers.size,
    approximate_user_install_count: [...world.people.values()].filter(({ installed }) => installed).length,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    team: team && teamJson(world, team),
    eligible_oauth2_scopes: [],
  };
}

/** The first member owns the team. */
const teamJson = (world: World, team: readonly string[]) => ({
  id: TEAM,
  icon: null,
  name: "Keepers",
  owner_user_id: team[0] ?? TEAM,
  members: team.map((id) => ({
    user: userJson(world, id),
    team_id: TEAM,
    membership_state: 2,
    role: "admin",
    permissions: ["*"],
  })),
});

const teamUserJson = () => ({
  ...{ id: TEAM, username: `team${TEAM}`, global_name: null, discriminator: "0000", avatar: null },
  ...{ public_flags: 0, flags: 0, primary_guild: null },
});

/** Opens a DM. If it is already open, the answer is the existing one. */
function openDirectMessage(world: World, { payload }: Call): Answer {
  const { recipient_id: id, access_tokens: tokens } = payload as {
    recipient_id?: string | null;
    access_tokens?: unknown;
  };
  if (tokens != null)
    return invalidForm([
      {
        path: ["access_tokens"],
        code: "LOCAL_NO_GROUPS",
        message: "Parley opens no group DMs, which people would have to authorize.",
      },
    ]);
  if (id == null)
    return invalidForm([{ path: ["recipient_id"], code: "BASE_TYPE_REQUIRED", message: "This field is required" }]);
  if (!world.people.has(id)) return refuse("invalidRecipients");
  const open = [...world.channels.values()].find(({ type, recipientIds }) => type === 1 && recipientIds?.[0] === id);
  const channel: Channel = open ?? { id: world.snowflake(), name: BOT_NAME, type: 1, recipientIds: [id] };
  if (!open) {
    world.channels.set(channel.id, channel);
    world.changed();
  }
  return { status: 200, body: storedChannelJson(world, channel) };
}

// The routes through which an application reads itself, its servers and its registered commands, and changes its endpoint URL, install
// settings and intents. All need the bot's token. As at Discord, a new endpoint URL is called before it is stored.
import { applicationJson } from "./account-routes.ts";
import { type Answer, invalidForm, refuse } from "./errors.ts";
import { EVERYONE } from "./permissions.ts";
import { type Call, type Route, route } from "./routes.ts";
import { userJson } from "./wire.ts";
import type { World } from "./world.ts";

/** The flags of the intents that a token may switch: presences, members, message content, each in the form for at most 10,000 users. */
const SWITCHABLE = (1 << 13) | (1 << 15) | (1 << 19);
const MESSAGE_CONTENT_LIMITED = 1 << 19;
const PING = JSON.stringify({ id: "1", application_id: "1", type: 1, token: "ping", version: 1 });
const WRONG_SIGNATURE = "0".repeat(128);

/** Every route of this file. */
export const applicationRoutes: Route[] = [
  route("PATCH", "/applications/@me", { auth: "bot", body: "application" }, changeApplication),
  route("GET", "/users/@me", { auth: "bot" }, (world) => ({ status: 200, body: userJson(world, world.applicationId) })),
  route("GET", "/users/@me/guilds", { auth: "bot" }, (world) => ({ status: 200, body: guildsJson(world) })),
  route("GET", "/applications/{app}/commands", { auth: "bot" }, (world, { params: { app } }) =>
    app === world.applicationId ? { status: 200, body: world.commands.get("global") ?? [] } : refuse("missingAccess"),
  ),
];

async function changeApplication(world: World, { payload = {} }: Call): Promise<Answer> {
  const { flags, interactions_endpoint_url: url, integration_types_config: kinds } = payload as Record<string, unknown>;
  if (typeof flags === "number" && (flags ^ currentFlags(world)) & ~SWITCHABLE)
    return invalidForm([{ path: ["flags"], code: "APPLICATION_FLAGS_INVALID", message: "Invalid flags." }]);
  if (typeof url === "string" && !(await isVerified(world, url)))
    return invalidForm([
      {
        path: ["interactions_endpoint_url"],
        code: "APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID",
        message: "The specified interactions endpoint URL could not be verified.",
      },
    ]);
  if (typeof flags === "number") world.options.messageContentIntent = (flags & MESSAGE_CONTENT_LIMITED) !== 0;
  if (url !== undefined) {
    world.options.interactionsEndpoint = typeof url === "string" && url !== "";
    if (typeof url === "string" && url !== "") world.endpointUrl = url;
  }
  if (typeof kinds === "object" && kinds !== null) world.installSettings = kinds as Record<string, unknown>;
  world.changed();
  return { status: 200, body: applicationJson(world) };
}

const currentFlags = (world: World): number => Number((applicationJson(world) as { flags: number }).flags);

/** Sends a PING with the right signature, which must get 200 and a pong, and one with a wrong signature, which must get 401. */
async function isVerified(world: World, url: string): Promise<boolean> {
  try {
    const pong = await world.callEndpoint(url, PING);
    const refused = await world.callEndpoint(url, PING, WRONG_SIGNATURE);
    const isJson = pong.headers.get("content-type")?.includes("application/json") === true;
    const { type } = isJson ? ((await pong.json()) as { type?: unknown }) : { type: null };
    return pong.status === 200 && type === 1 && refused.status === 401;
  } catch {
    return false;
  }
}

const guildsJson = (world: World): Record<string, unknown>[] =>
  (world.options.botIsMember ? [...world.servers.values()] : []).map(({ id, name }) => ({
    ...{ id, name, icon: null, banner: null, owner: false, permissions: `${EVERYONE}`, features: [] },
  }));

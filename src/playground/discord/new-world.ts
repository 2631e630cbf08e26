// Creates a new world: its first people and channels, and nothing in them yet.
import { publish } from "../gateway/events.ts";
import { gatewayState } from "../gateway/state.ts";
import type { LocalDiscordParts } from "./local-discord.ts";
import type { Options } from "./options.ts";
import { seed, snowflakes } from "./seed.ts";
import type { World } from "./world.ts";

/** The application of the playground, unless another one is named. */
export const APPLICATION = { id: "1180000000000000002", botToken: "local.bot.token" } as const;

/** Makes a world. `changed` is called after every change; `callEndpoint` sends a signed request to the application. */
export function createWorld(
  parts: LocalDiscordParts,
  options: Options,
  { changed, callEndpoint }: Pick<World, "changed" | "callEndpoint">,
): World {
  const world: World = {
    applicationId: parts.applicationId ?? APPLICATION.id,
    botToken: parts.botToken ?? APPLICATION.botToken,
    cdnUrl: parts.cdnUrl ?? "https://cdn.discordapp.com",
    endpointUrl: "",
    installSettings: {},
    options,
    people: new Map(),
    servers: new Map(),
    channels: new Map(),
    messages: new Map(),
    interactions: new Map(),
    webhooks: new Map(),
    commands: new Map(),
    modals: new Map(),
    attachments: new Map(),
    nonces: new Map(),
    log: [],
    violations: [],
    windows: new Map(),
    typing: new Map(),
    gateway: gatewayState(parts.gatewayUrl ?? "wss://gateway.discord.gg", parts.socketClock ?? parts.now),
    now: parts.now,
    snowflake: snowflakes(parts.now),
    changed,
    callEndpoint,
    happened: (happening) => {
      publish(world, happening);
      changed();
    },
  };
  seed(world);
  return world;
}

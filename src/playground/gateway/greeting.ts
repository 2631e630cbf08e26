// The first events of a new session (docs: events/gateway-events, "Ready"): READY, with the application and its servers marked unavailable,
// and then each server.
import { applicationFlags } from "../discord/account-routes.ts";
import { userJson } from "../discord/wire.ts";
import type { World } from "../discord/world.ts";
import { isForShard } from "./events.ts";
import { guildEvent } from "./payloads.ts";
import { INTENTS } from "./protocol.ts";
import { dispatch } from "./sessions.ts";
import type { Session } from "./state.ts";

/** Sends READY, and a GUILD_CREATE per server if the session has the intent. */
export function greet(world: World, session: Session, isSharded: boolean): void {
  const { gateway, options, applicationId } = world;
  const servers = options.botIsMember ? [...world.servers.values()].filter(({ id }) => isForShard(session, id)) : [];
  dispatch(gateway, session, "READY", {
    v: 10,
    user_settings: {},
    user: { ...userJson(world, applicationId), verified: true, mfa_enabled: false, email: null },
    guilds: servers.map(({ id }) => ({ id, unavailable: true })),
    private_channels: [],
    relationships: [],
    presences: [],
    session_id: session.id,
    session_type: "normal",
    resume_gateway_url: gateway.resumeUrl,
    ...(isSharded && { shard: session.shard }),
    application: { id: applicationId, flags: applicationFlags(world) },
    _trace: [],
  });
  if (session.intents & INTENTS.guilds)
    for (const server of servers) dispatch(gateway, session, "GUILD_CREATE", guildEvent(world, server));
}

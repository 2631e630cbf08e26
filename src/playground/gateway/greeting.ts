// What a new session gets first (docs: events/gateway-events, "Ready"): who the application is, its servers as not yet available,
// and then each of them.
import { applicationFlags } from "../discord/account-routes.ts";
import { userJson } from "../discord/wire.ts";
import type { World } from "../discord/world.ts";
import { isForShard } from "./events.ts";
import { guildEvent } from "./payloads.ts";
import { INTENTS } from "./protocol.ts";
import { dispatch } from "./sessions.ts";
import type { Session } from "./state.ts";

/** Sends READY, and GUILD_CREATE to a session with the intent. */
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

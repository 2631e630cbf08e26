// The composition root of the gateway's object. Nothing else in it reads the environment.
import { accessRules } from "../../src/config/access.ts";
import { listOffered, readProgram, requireConfig, VERSION } from "../../src/config.ts";
import { createAnswerByCallback } from "../../src/discord/answer-by-callback.ts";
import type { ChannelPort } from "../../src/discord/answers/channel-port.ts";
import { createGate } from "../../src/discord/answers/gate.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import { withTimeLimit } from "../../src/discord/rest/time-limit.ts";
import { userAgent } from "../../src/discord/rest/user-agent.ts";
import { type Outside, production, restBasics } from "../composition-root.ts";
import type { AlarmStorage } from "../schedule/alarm.ts";
import type { SqliteStorage } from "../store/sqlite-storage.ts";
import type { GatewayPorts, ListeningChannel } from "./gateway-ports.ts";
import { createGatewayRest } from "./gateway-rest.ts";
import { openGatewayStore } from "./gateway-store.ts";
import type { Upgrade, Wire } from "./line.ts";
import { Opening, type OpeningPorts } from "./opening.ts";

/** The part of the object's state that is used here, as our own type, so that tests can make one without the runtime. */
export interface GatewayContext {
  storage: SqliteStorage & AlarmStorage & { deleteAll(): Promise<void>; sync(): Promise<void> };
  abort(reason: string): void;
}

/** The other objects, as the runtime binds them. */
interface Bindings {
  SCOPE: { getByName(name: string): ScopePort };
  CHANNEL: { getByName(name: string): ListeningChannel & ChannelPort };
}

/** What the object reaches outside itself; tests replace it. */
export interface GatewayOutside extends Pick<Outside, "fetch" | "clock" | "timers" | "random" | "createLog"> {
  upgrade: Upgrade;
}

/** Opens a WebSocket by a request for the upgrade, which, unlike `new WebSocket`, can be aborted. workerd doesn't accept `ws:` there. */
export const upgradeBy =
  (fetch: Outside["fetch"]): Upgrade =>
  async (url, signal) => {
    const headers = { Upgrade: "websocket", "User-Agent": userAgent(VERSION) };
    const response = await fetch(url.replace(/^ws/, "http"), { headers, signal });
    const { webSocket } = response as unknown as { webSocket?: Wire | null };
    if (!webSocket) await response.body?.cancel();
    return { wire: webSocket ?? null, status: response.status };
  };

const outside: GatewayOutside = { ...production, upgrade: upgradeBy(production.fetch) };

/** Opens the object. Never throws. */
export const openGateway = (ctx: GatewayContext, env: unknown): Opening => new Opening(createOpeningPorts(ctx, env));

/** Builds the ports for opening the object. Never throws: everything that can throw happens when a port is called. */
export function createOpeningPorts(ctx: GatewayContext, env: unknown, around: GatewayOutside = outside): OpeningPorts {
  const log = around.createLog("gateway");
  return {
    program: () => readProgram(requireConfig(env), env),
    open: () => createGatewayPorts(ctx, env, around),
    setAlarm: (at) => ctx.storage.setAlarm(at),
    erase: async () => {
      await ctx.storage.deleteAlarm();
      await ctx.storage.deleteAll();
    },
    clock: around.clock,
    logError: log.error,
  };
}

/** Builds the ports of one life. Throws when the configuration is invalid or there is no token. */
function createGatewayPorts(ctx: GatewayContext, env: unknown, around: GatewayOutside): GatewayPorts {
  const config = requireConfig(env);
  const { apiBaseUrl, botToken } = config.discord;
  const { SCOPE, CHANNEL } = env as Bindings;
  const { clock, timers, random } = around;
  const log = around.createLog("gateway");
  const rest = restBasics(config, log);
  // A stub that threw once is broken for good, so each call gets a fresh one.
  const channel = (channelId: string) => CHANNEL.getByName(channelId);
  const scope = (name: string) => SCOPE.getByName(name);
  const policy = accessRules(config.access, apiBaseUrl, null);
  const gate = createGate({
    scope,
    now: clock,
    after: timers.after,
    logError: log.error,
    // Refusals are not counted: a fresh copy stops those people early, and old copies are read once a minute at most.
    countRefused: null,
  });
  return {
    program: readProgram(config, env),
    token: botToken ?? "",
    store: openGatewayStore(ctx.storage),
    rest: createGatewayRest({ ...rest, fetch: withTimeLimit(around.fetch, timers) }),
    upgrade: around.upgrade,
    channel,
    gate,
    policy,
    setAlarm: (at) => (at === null ? ctx.storage.deleteAlarm() : ctx.storage.setAlarm(at)),
    restart: () => {
      // An abort would undo writes that are not stored yet.
      const abort = () => ctx.abort("another version takes over");
      ctx.storage.sync().then(abort, abort);
    },
    interaction: createAnswerByCallback({
      entry: {
        ...listOffered(config),
        origin: config.publicUrl,
        ...{ channel, gate, policy, scope, now: clock, after: timers.after, logError: log.error },
        // The gateway has just brought this interaction, so it is connected.
        gateway: async () => "connected",
      },
      rest: { ...rest, fetch: around.fetch },
      ...{ timers, now: clock, logError: log.error },
    }),
    clock,
    timers,
    random,
    log,
  };
}

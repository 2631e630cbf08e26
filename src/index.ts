// The Worker's composition root: reads the environment and builds the ports of the routes. The only other roots are those of the three objects:
// the channel's, the scope's and the gateway's.
import { ChannelObject } from "../durable-objects/channel.ts";
import { GatewayObject } from "../durable-objects/gateway/gateway-object.ts";
import { ScopeObject } from "../durable-objects/scope/scope-object.ts";
import type { AppPorts, createApp } from "./app.ts";
import { readDeployment } from "./config/gateway.ts";
import { parseConfig, readProgram, VERSION } from "./config.ts";
import { createEndpoint, ENDPOINT } from "./endpoint.ts";

export { ChannelObject, GatewayObject, ScopeObject };

/** The Worker's bindings; its variables are read by `parseConfig`. */
interface Env {
  CHANNEL: DurableObjectNamespace<InstanceType<typeof ChannelObject>>;
  SCOPE: DurableObjectNamespace<InstanceType<typeof ScopeObject>>;
  GATEWAY: DurableObjectNamespace<InstanceType<typeof GatewayObject>>;
  /** Counts requests of people who are refused. Missing if somebody's own configuration doesn't bind it. */
  REFUSED?: RateLimit;
}

/**
 * Returns the gateway's object. It is created in North America, wherever it is first asked for: a cron trigger runs where there is room, and
 * anyone may ask for `/health`. Each channel whose first message it hears gets an object near it, which stays there (Cloudflare: data location),
 * and OpenAI and others refuse every request from some places, such as Hong Kong.
 */
const gatewayOf = (env: Env) => env.GATEWAY.getByName("discord", { locationHint: "enam" });
/** For this long after a deploy, the object of a gateway that is switched off is woken to learn that. A runtime keeps an old program for an hour. */
const SWITCHING_OFF_MS = 2 * 3_600_000;

let app: { env: Env; fetch: (request: Request) => Response | Promise<Response> } | null = null;

const logError = (line: string, detail: Record<string, unknown>) =>
  console.error(JSON.stringify({ level: "error", line, ...detail }));

/** Builds the application. An isolate's environment doesn't change, so it is parsed only with the first request. */
function buildApp(env: Env) {
  if (app?.env === env) return app;
  const limiter = env.REFUSED ?? null;
  // A stub that has thrown once can't be used any more, so each call gets a fresh one; getByName sends nothing.
  const channel = (name: string) => env.CHANNEL.getByName(name);
  const ports: AppPorts = {
    config: parseConfig(env),
    variables: env,
    channel,
    inspected: channel,
    scope: (name) => env.SCOPE.getByName(name),
    countRefused: limiter && (async (key) => (await limiter.limit({ key })).success),
    gatewayStatus: () => gatewayOf(env).status(),
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    logError,
  };
  const endpoint = createEndpoint(ports);
  let routes: ReturnType<typeof createApp> | null = null;
  // Each request awaits its own import: a promise that belongs to another request may never settle here.
  const others = async () => {
    const { createApp } = await import("./app.ts");
    routes ??= createApp(ports);
    return routes;
  };
  const isInteraction = ({ method, url }: Request) => method === "POST" && new URL(url).pathname === ENDPOINT;
  app = {
    env,
    fetch: async (request) => (isInteraction(request) ? endpoint(request) : (await others()).fetch(request)),
  };
  return app;
}

/**
 * Starts the gateway's object, and starts it again if its alarm was lost. If the gateway is switched off, which takes a deploy, the object is
 * only woken soon after one: a bot that never uses it doesn't pay for an object that wakes every five minutes.
 */
async function wakeGateway(env: Env, now: number): Promise<void> {
  const parsed = parseConfig(env);
  if (!parsed.ok || parsed.config.discord.botToken === null) return;
  const { on, version, configHash } = readProgram(parsed.config, env);
  const { at } = readDeployment(env, VERSION);
  if (!on && at !== null && now - at > SWITCHING_OFF_MS) return;
  await gatewayOf(env).wake({ version, configHash });
}

export default {
  fetch: (request, env) => buildApp(env).fetch(request),
  scheduled: async (event, env) => {
    try {
      await wakeGateway(env, event.scheduledTime);
    } catch (error) {
      // This also happens when the object ends itself to run the newest program; its alarm starts it again.
      logError("the gateway did not wake", { error: String(error) });
    }
  },
} satisfies ExportedHandler<Env>;

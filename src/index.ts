// The Worker's composition root: reads the environment and builds the ports of the routes. The only other root is the
// object's.
import { ChannelObject } from "../durable-objects/channel.ts";
import { ScopeObject } from "../durable-objects/scope/scope-object.ts";
import { createApp } from "./app.ts";
import { parseConfig } from "./config.ts";

export { ChannelObject, ScopeObject };

/** The Worker's bindings; its variables are read by `parseConfig`. */
interface Env {
  CHANNEL: DurableObjectNamespace<InstanceType<typeof ChannelObject>>;
  SCOPE: DurableObjectNamespace<InstanceType<typeof ScopeObject>>;
  /** Counts refused people; a configuration of one's own may lack it. */
  REFUSED?: RateLimit;
}

let app: { env: Env; fetch: (request: Request) => Response | Promise<Response> } | null = null;

/** The environment of an isolate doesn't change, so it is parsed only with the first request. */
function buildApp(env: Env) {
  if (app?.env === env) return app;
  const limiter = env.REFUSED ?? null;
  const built = createApp({
    config: parseConfig(env),
    // A stub that threw once is of no use any more, so each call gets a fresh one; getByName sends nothing.
    channel: (channelId) => env.CHANNEL.getByName(channelId),
    scope: (name) => env.SCOPE.getByName(name),
    countRefused: limiter && (async (key) => (await limiter.limit({ key })).success),
    now: () => Date.now(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    logError: (line, detail) => console.error(JSON.stringify({ level: "error", line, ...detail })),
  });
  app = { env, fetch: (request) => built.fetch(request) };
  return app;
}

export default {
  fetch: (request, env) => buildApp(env).fetch(request),
} satisfies ExportedHandler<Env>;

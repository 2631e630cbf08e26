// The Worker's composition root: reads the environment and builds the ports of the routes. The only other root is the
// object's.
import { ChannelObject } from "../durable-objects/channel.ts";
import { createApp } from "./app.ts";
import { parseConfig } from "./config.ts";

export { ChannelObject };

/** The Worker's bindings; its variables are read by `parseConfig`. */
interface Env {
  CHANNEL: DurableObjectNamespace<InstanceType<typeof ChannelObject>>;
}

let app: { env: Env; fetch: (request: Request) => Response | Promise<Response> } | null = null;

/** The environment of an isolate doesn't change, so it is parsed only with the first request. */
function buildApp(env: Env) {
  if (app?.env === env) return app;
  const built = createApp({
    config: parseConfig(env),
    // A stub that threw once is of no use any more, so each call gets a fresh one; getByName sends nothing.
    channel: (channelId) => env.CHANNEL.getByName(channelId),
    now: () => Date.now(),
    logError: (line, detail) => console.error(JSON.stringify({ level: "error", line, ...detail })),
  });
  app = { env, fetch: (request) => built.fetch(request) };
  return app;
}

export default {
  fetch: (request, env) => buildApp(env).fetch(request),
} satisfies ExportedHandler<Env>;

// The local world in both places where it can run: in workerd, as `npm start` runs it, and in the test's own process. The same routes
// control both.
import { setTimeout as sleep } from "node:timers/promises";
import { localWorldRoutes } from "../../src/playground/control.ts";
import { createLocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { launchPlayground } from "../../src/playground/launch.ts";
import { createLocalModel } from "../../src/playground/model/model.ts";
import { serve } from "../../src/playground/serve.ts";
import { serveGateway } from "./gateway-socket.ts";

/** A local world that is listening. */
export interface ListeningWorld {
  url: string;
  /** Reads a route under `/local`, or posts to it. */
  tell(path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** Both places by name. `productConfig`: the configuration of what runs in workerd next to the local world, instead of the product. */
export const HOMES: Record<string, (productConfig?: string) => Promise<ListeningWorld>> = {
  workerd: async (productConfig) => {
    const other = productConfig === undefined ? {} : { productConfig };
    // A test of the Gateway is its only client.
    const { url, stop } = await launchPlayground({ port: 0, quiet: true, vars: { DISCORD_GATEWAY: "off" }, ...other });
    return { url, tell: (path, body) => ask(url + path, body), stop };
  },
  Node: async () => {
    const gateway = await serveGateway();
    const model = createLocalModel({ now: Date.now, sleep: (ms) => sleep(ms) });
    const discord = createLocalDiscord({
      now: Date.now,
      gatewayUrl: gateway.url,
      dispatch: async () => new Response(null, { status: 500 }),
    });
    gateway.connect(discord.gateway);
    const clock = { advance: () => {}, reset: () => {} };
    const routes = localWorldRoutes({ discord, model, clock, sleep: (ms) => sleep(ms) });
    const served = await serve(routes.fetch);
    const stop = async () => void (await Promise.all([served.close(), gateway.close()]));
    return { url: served.url, tell: (path, body) => ask(served.url + path, body), stop };
  },
};

async function ask(url: string, body?: unknown): Promise<unknown> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(url, body === undefined ? {} : init);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

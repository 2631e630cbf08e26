// The playground's front door: Parley's own routes go to Parley, the page to its files, everything else to the local world.
// It answers on loopback names, and pages from loopback, only: no web page elsewhere may drive it from a person's browser.
import type { LocalWorld } from "./world-object.ts";

export { LocalWorld } from "./world-object.ts";

interface Env {
  PARLEY: Fetcher;
  PAGE: Fetcher;
  LOCAL_WORLD: DurableObjectNamespace<LocalWorld>;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const OF_PARLEY = /^\/(interactions|health|inspect)(\/|$)/;
const OF_THE_WORLD = /^\/(api|v1|local|attachments|ephemeral-attachments)\//;

export default {
  async fetch(request, env) {
    const { hostname, pathname } = new URL(request.url);
    const origin = request.headers.get("origin");
    const isFromHere = origin === null || LOOPBACK.has(URL.parse(origin)?.hostname ?? "");
    if (!LOOPBACK.has(hostname) || !isFromHere)
      return new Response("The playground answers on loopback only.\n", { status: 403 });
    if (OF_PARLEY.test(pathname)) return env.PARLEY.fetch(request);
    if (OF_THE_WORLD.test(pathname)) return env.LOCAL_WORLD.getByName("world").fetch(request);
    return env.PAGE.fetch(request);
  },
} satisfies ExportedHandler<Env>;

// The playground's entrance: Parley's own routes go to Parley, the page's routes to its files, everything else to the local
// world. It answers only loopback names and pages from loopback, so that no other web page can control it from a person's
// browser.
import type { LocalWorld } from "./world-object.ts";

export { LocalWorld } from "./world-object.ts";

interface Env {
  PARLEY: Fetcher;
  PAGE: Fetcher;
  LOCAL_WORLD: DurableObjectNamespace<LocalWorld>;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const OF_PARLEY = /^\/(interactions|health|inspect)(\/|$)/;
const OF_THE_WORLD = /^\/((api|v1|local|attachments|ephemeral-attachments)\/|gateway(\/|$))/;

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

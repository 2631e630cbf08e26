// The playground's entry point: sends Parley's own routes to Parley, the launcher's to the process that runs all this, the page's to its
// files, and everything else to the local world. It answers only loopback names and pages from loopback, so that no other web page can
// control it from a person's browser.
import { type InspectorParts, openInspector } from "./inspector.ts";
import type { LocalWorld } from "./world-object.ts";

export { LocalWorld } from "./world-object.ts";

interface Env extends InspectorParts {
  PAGE: Fetcher;
  LOCAL_WORLD: DurableObjectNamespace<LocalWorld>;
  /** The address of the launcher's desk (desk.ts), and its token. */
  LAUNCHER_URL?: string;
  LAUNCHER_TOKEN?: string;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const OF_PARLEY = /^\/(interactions|health|oauth)(\/|$)/;
const OF_THE_INSPECTOR = /^\/inspect(\/|\.json$|$)/;
const OF_THE_WORLD = /^\/((api|v1|local|attachments|ephemeral-attachments)\/|gateway(\/|$))/;

const askInspector = openInspector(Date.now);

export default {
  async fetch(request, env) {
    const { hostname, pathname } = new URL(request.url);
    const origin = request.headers.get("origin");
    const isFromHere = origin === null || LOOPBACK.has(URL.parse(origin)?.hostname ?? "");
    if (!LOOPBACK.has(hostname) || !isFromHere)
      return new Response("The playground answers on loopback only.\n", { status: 403 });
    if (OF_PARLEY.test(pathname)) return env.PARLEY.fetch(request);
    if (OF_THE_INSPECTOR.test(pathname)) return askInspector(request, env);
    if (pathname.startsWith("/launcher/")) return askLauncher(request, env);
    if (OF_THE_WORLD.test(pathname)) return env.LOCAL_WORLD.getByName("world").fetch(request);
    const file = await env.PAGE.fetch(request);
    // No other page may show this one in a frame and redirect clicks to it. A policy in the page's own HTML can't forbid that.
    const headers = { ...Object.fromEntries(file.headers), "content-security-policy": "frame-ancestors 'self'" };
    return new Response(file.body, { status: file.status, headers });
  },
} satisfies ExportedHandler<Env>;

async function askLauncher(request: Request, { LAUNCHER_URL, LAUNCHER_TOKEN }: Env): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  if (LAUNCHER_URL === undefined) return new Response(null, { status: 404 });
  const headers = { authorization: `Bearer ${LAUNCHER_TOKEN}` };
  return fetch(LAUNCHER_URL + pathname + search, { method: request.method, headers, signal: request.signal });
}

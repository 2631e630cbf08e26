// The Gateway's REST routes (docs: events/gateway, "Get Gateway", "Get Gateway Bot"): where to connect, and how many identifies
// are left today.
import { type Route, route } from "../discord/routes.ts";
import { IDENTIFY_WINDOW_MS, MAX_IDENTIFIES } from "./protocol.ts";
import type { GatewayState } from "./state.ts";

/** Every route of this file. */
export const gatewayRoutes: Route[] = [
  route("GET", "/gateway", { auth: "none" }, ({ gateway }) => ({ status: 200, body: { url: gateway.url } })),
  route("GET", "/gateway/bot", { auth: "bot" }, ({ gateway }) => ({
    status: 200,
    body: { url: gateway.url, shards: gateway.switches.shards, session_start_limit: startLimit(gateway) },
  })),
];

function startLimit(gateway: GatewayState): Record<string, number> {
  const now = gateway.now();
  const today = gateway.identifies.filter(({ at }) => now - at < IDENTIFY_WINDOW_MS);
  const { identifiesLeft, maxConcurrency } = gateway.switches;
  return {
    total: MAX_IDENTIFIES,
    remaining: identifiesLeft ?? MAX_IDENTIFIES - today.length,
    reset_after: today[0] ? today[0].at + IDENTIFY_WINDOW_MS - now : 0,
    max_concurrency: maxConcurrency,
  };
}

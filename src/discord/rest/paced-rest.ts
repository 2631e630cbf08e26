// The REST client that the object uses: it sends no request before Discord's limits allow it, and records the limits in every answer. Requests
// with a token that Discord has refused fail at once instead of waiting. Callers that must not wait here ask `rateLimiter` first.
import type { Timers } from "../../turn/ports.ts";
import type { RateLimiter, SendKind } from "./rate-limiter.ts";
import { TOKEN_REFUSED } from "./refusal.ts";
import { type DiscordRest, type Endpoint, isByBot, type RestResult } from "./rest.ts";

/** Wraps the plain client with a rate limiter. Like the plain client, it never throws and sends each request at most once. */
export function pacedRest(rest: DiscordRest, rateLimiter: RateLimiter, timers: Timers, now: () => number): DiscordRest {
  const send = async (endpoint: Endpoint, kind: SendKind, request: () => Promise<RestResult>): Promise<RestResult> => {
    for (;;) {
      const waitMs = rateLimiter.readyAt(endpoint, kind) - now();
      if (waitMs <= 0) break;
      if (isByBot(endpoint) && rateLimiter.isTokenRefused) return TOKEN_REFUSED;
      await new Promise<void>((resolve) => timers.after(waitMs, resolve));
    }
    rateLimiter.sending(endpoint, kind);
    const result = await request();
    rateLimiter.saw(endpoint, kind, result);
    return result;
  };
  return {
    create: (endpoint, ...what) => send(endpoint, "create", () => rest.create(endpoint, ...what)),
    edit: (endpoint, ...what) => send(endpoint, "edit", () => rest.edit(endpoint, ...what)),
    remove: (endpoint, ...what) => send(endpoint, "delete", () => rest.remove(endpoint, ...what)),
    read: (endpoint, ...what) => send(endpoint, "read", () => rest.read(endpoint, ...what)),
  };
}

// The REST client as the object uses it: no request goes out before Discord's limits allow it, and the limits in every answer are
// recorded. Callers that must not wait inside a request ask `rateLimiter` first.
import type { Timers } from "../../turn/ports.ts";
import type { RateLimiter, SendKind } from "./rate-limiter.ts";
import type { DiscordRest, Endpoint, RestResult } from "./rest.ts";

/** Makes the client over its rate limiter. Like the plain client, it never throws and sends each request exactly once. */
export function pacedRest(rest: DiscordRest, rateLimiter: RateLimiter, timers: Timers, now: () => number): DiscordRest {
  const send = async (endpoint: Endpoint, kind: SendKind, request: () => Promise<RestResult>): Promise<RestResult> => {
    for (;;) {
      const waitMs = rateLimiter.readyAt(endpoint, kind) - now();
      if (waitMs <= 0) break;
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

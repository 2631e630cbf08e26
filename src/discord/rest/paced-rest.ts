// The REST client as the object uses it: no request goes out before Discord's limits allow it, and what every answer tells of them
// is remembered. Whoever must not wait inside a request asks `rateLimiter` first.
import type { Timers } from "../../turn/ports.ts";
import type { RateLimiter, SendKind } from "./rate-limiter.ts";
import type { DiscordRest, Endpoint, RestResult } from "./rest.ts";

/** The client over its rate limiter. Like the one below it, it never throws and sends each request exactly once. */
export function pacedRest(rest: DiscordRest, rateLimiter: RateLimiter, timers: Timers, now: () => number): DiscordRest {
  const send = async (route: Endpoint, kind: SendKind, request: () => Promise<RestResult>): Promise<RestResult> => {
    for (let wait = rateLimiter.readyAt(route, kind) - now(); wait > 0; wait = rateLimiter.readyAt(route, kind) - now())
      await new Promise<void>((resolve) => timers.after(wait, resolve));
    rateLimiter.sending(route);
    const result = await request();
    rateLimiter.saw(route, kind, result);
    return result;
  };
  return {
    create: (route, ...what) => send(route, "create", () => rest.create(route, ...what)),
    edit: (route, ...what) => send(route, "edit", () => rest.edit(route, ...what)),
    remove: (route, ...what) => send(route, "delete", () => rest.remove(route, ...what)),
    read: (route, ...what) => send(route, "read", () => rest.read(route, ...what)),
  };
}

// The REST client as the object uses it: no request goes out before Discord's limits allow it, and what every answer tells of them
// is remembered. Whoever must not wait inside a request asks `traffic` first.
import type { Timers } from "../../turn/ports.ts";
import type { SendKind, Traffic } from "./rate-limiter.ts";
import type { DiscordRest, ReplyRoute, RestResult } from "./rest.ts";

/** The client over its traffic. Like the one below it, it never throws and sends each request exactly once. */
export function pacedRest(rest: DiscordRest, traffic: Traffic, timers: Timers, now: () => number): DiscordRest {
  const send = async (route: ReplyRoute, kind: SendKind, request: () => Promise<RestResult>): Promise<RestResult> => {
    for (let wait = traffic.readyAt(route, kind) - now(); wait > 0; wait = traffic.readyAt(route, kind) - now())
      await new Promise<void>((resolve) => timers.after(wait, resolve));
    traffic.sending(route);
    const result = await request();
    traffic.saw(route, kind, result);
    return result;
  };
  return {
    create: (route, ...what) => send(route, "create", () => rest.create(route, ...what)),
    edit: (route, ...what) => send(route, "edit", () => rest.edit(route, ...what)),
    remove: (route, ...what) => send(route, "delete", () => rest.remove(route, ...what)),
    read: (route, ...what) => send(route, "read", () => rest.read(route, ...what)),
  };
}

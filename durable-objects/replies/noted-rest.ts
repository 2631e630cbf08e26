// Wraps the REST client and the rate limits of one reply, to note each request: when, how long, Discord's status, how long a limit delayed it.
import type { InspectedRequest } from "../../src/core/state/inspected.ts";
import type { ReplyRouteParams } from "../../src/discord/delivery/reply-route.ts";
import type { DiscordRest, RestResult } from "../../src/discord/rest/rest.ts";
import type { Clock } from "../../src/turn/ports.ts";

type RestAndLimits = Pick<ReplyRouteParams, "rest" | "rateLimiter">;

/** How late a timer may fire. */
const SLACK_MS = 1000;

/** Wraps the client and the limits. `note` is called after each request; it must not throw. */
export function notedRest(
  { rest, rateLimiter }: RestAndLimits,
  clock: Clock,
  note: (request: InspectedRequest) => void,
): RestAndLimits {
  /** The time during which a limit delays the next request. */
  let held: { since: number; until: number } | null = null;
  /** Whether the limit ended so long ago that it can't have delayed a request that is sent now: there was nothing to send. */
  const isOver = (now: number) => held !== null && now > held.until + SLACK_MS;
  const noted = async (method: InspectedRequest["method"], send: () => Promise<RestResult>): Promise<RestResult> => {
    const at = clock();
    const waitMs = held === null || isOver(at) ? 0 : Math.min(at, held.until) - held.since;
    held = null;
    const result = await send();
    note({ at, ms: clock() - at, method, status: statusOf(result), waitMs });
    return result;
  };
  const noting: DiscordRest = {
    create: (...what) => noted("create", () => rest.create(...what)),
    edit: (...what) => noted("edit", () => rest.edit(...what)),
    remove: (...what) => noted("delete", () => rest.remove(...what)),
    read: (...what) => noted("read", () => rest.read(...what)),
  };
  return {
    rest: noting,
    rateLimiter: {
      readyAt(endpoint, kind) {
        const at = rateLimiter.readyAt(endpoint, kind);
        const now = clock();
        if (at > now) held = { since: held === null || isOver(now) ? now : held.since, until: at };
        return at;
      },
    },
  };
}

const statusOf = (result: RestResult): number | null =>
  !result.ok && result.kind === "unreachable" ? null : (result.status ?? null);

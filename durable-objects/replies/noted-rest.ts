// The client and the limits of one reply, with a note of each request: when, how long, what Discord said, how long a limit held it.
import type { InspectedRequest } from "../../src/core/state/inspected.ts";
import type { ReplyRouteParams } from "../../src/discord/delivery/reply-route.ts";
import type { DiscordRest, RestResult } from "../../src/discord/rest/rest.ts";
import type { Clock } from "../../src/turn/ports.ts";

type Parts = Pick<ReplyRouteParams, "rest" | "rateLimiter">;

/** Wraps both. `note` is called after each request; it must not throw. */
export function notedRest(
  { rest, rateLimiter }: Parts,
  clock: Clock,
  note: (request: InspectedRequest) => void,
): Parts {
  /** Since when a limit holds the next request. */
  let heldSince: number | null = null;
  const noted = async (method: InspectedRequest["method"], send: () => Promise<RestResult>): Promise<RestResult> => {
    const at = clock();
    const waitMs = heldSince === null ? 0 : at - heldSince;
    heldSince = null;
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
        if (at > now) heldSince ??= now;
        return at;
      },
    },
  };
}

const statusOf = (result: RestResult): number | null =>
  !result.ok && result.kind === "unreachable" ? null : (result.status ?? null);

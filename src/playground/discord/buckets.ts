// Rate limits as Discord applies them (docs: topics/rate-limits): every route has a bucket per channel or webhook, each answer contains its
// state, and a request over the limit is refused with the time to wait. Has no timer: a window ends when the clock says so.
import type { World } from "./world.ts";

/** The limits in an answer's headers; null if the request counts against no bucket. */
export interface Counted {
  headers: Record<string, string>;
  /** Seconds to wait; null if the request may pass. */
  retryAfter: number | null;
}

/** Windows by bucket: when each one ends, and how many requests are left in it. */
export type Windows = Map<string, { endsAt: number; remaining: number }>;

const MS = 1000;

/** Counts one request, and decides whether it may pass. */
export function count(world: World, method: string, route: string, path: string): Counted | null {
  const resource = /^\/(?:channels\/\d+|webhooks\/[^/]+\/[^/?]+)/.exec(path)?.[0];
  const { buckets } = world.options;
  if (!buckets || !resource || method === "GET") return null;
  const { limit, windowMs } = buckets;
  const now = world.now();
  const key = `${method} ${route} ${resource}`;
  const known = world.windows.get(key);
  const open = known && known.endsAt > now ? known : { endsAt: now + windowMs, remaining: limit };
  const resetAfter = (open.endsAt - now) / MS;
  const passes = open.remaining > 0;
  if (passes) open.remaining -= 1;
  world.windows.set(key, open);
  return {
    headers: {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(open.remaining),
      "x-ratelimit-reset": String(open.endsAt / MS),
      "x-ratelimit-reset-after": String(resetAfter),
      "x-ratelimit-bucket": bucketName(`${method} ${route}`),
    },
    retryAfter: passes ? null : resetAfter,
  };
}

/** Names a route's bucket. Discord's names look like digests, and a route always has the same one. */
function bucketName(route: string): string {
  let digest = 0xcbf29ce484222325n;
  for (const unit of route) digest = BigInt.asUintN(64, (digest ^ BigInt(unit.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return digest.toString(16).padStart(16, "0");
}

/** Builds the 429 of a bucket, or of a wider limit. */
export function tooMany(
  retryAfter: number,
  scope: "user" | "shared" | "global",
  headers: Record<string, string> = {},
): Response {
  const body = { message: "You are being rate limited.", retry_after: retryAfter, global: scope === "global" };
  return Response.json(body, {
    status: 429,
    headers: {
      ...headers,
      "retry-after": String(Math.ceil(retryAfter)),
      "x-ratelimit-scope": scope,
      ...(scope === "global" ? { "x-ratelimit-global": "true" } : {}),
    },
  });
}

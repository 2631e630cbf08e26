// What an answer of Discord tells of its limits: the headers of every answer, and what a 429 adds. Pure; the docs forbid to
// hard-code any of these numbers (topics/rate-limits).

/** The bucket that a request counted against. */
export interface BucketState {
  /** Discord's name of it; the same name under another channel or webhook is another bucket. */
  bucket: string;
  remaining: number;
  /** Until it is full again. */
  resetAfterMs: number;
}

/**
 * A 429. `global`: of the bot, or of the address. `shared`: of the channel or webhook, whoever used it; it does not count as an
 * invalid request. `proxy`: not Discord's own, but of what stands before it, whose bans last.
 */
export interface Limit {
  scope: "user" | "shared" | "global" | "proxy";
  /** Null: it named no time. */
  retryAfterMs: number | null;
}

/** Reads the headers; null where there are none. */
export function readBucket(headers: Headers): BucketState | null {
  const bucket = headers.get("X-RateLimit-Bucket");
  const remaining = Number(headers.get("X-RateLimit-Remaining") ?? Number.NaN);
  const resetAfterMs = milliseconds(headers.get("X-RateLimit-Reset-After"));
  return bucket !== null && Number.isFinite(remaining) && resetAfterMs !== null
    ? { bucket, remaining, resetAfterMs }
    : null;
}

/** Reads a 429. `json` is its body; null where that is none, and then it is not Discord's. */
export function readLimit(headers: Headers, json: Record<string, unknown> | null): Limit {
  // The body is exact, the header says whole seconds.
  const retryAfterMs = milliseconds(json?.retry_after ?? headers.get("Retry-After"));
  if (!json) return { scope: "proxy", retryAfterMs };
  if (json.global === true) return { scope: "global", retryAfterMs };
  const scope = headers.get("X-RateLimit-Scope");
  return { scope: scope === "shared" || scope === "global" ? scope : "user", retryAfterMs };
}

function milliseconds(seconds: unknown): number | null {
  const number = seconds === null || seconds === undefined ? Number.NaN : Number(seconds);
  return Number.isFinite(number) && number >= 0 ? Math.ceil(number * 1000) : null;
}

// Reads the limits in an answer of Discord: the headers of every answer, and what a 429 adds. Pure. The docs say not to hard-code
// any of these numbers (topics/rate-limits).

/** The bucket that a request counted against. */
export interface BucketState {
  /** Discord's name for the bucket. The same name under another channel or webhook is another bucket. */
  bucket: string;
  remaining: number;
  /** Milliseconds until it is full again. */
  resetAfterMs: number;
}

/**
 * The limit in a 429. `global`: applies to the bot or the address. `shared`: applies to the channel or webhook, whoever used it; does not count
 * as an invalid request. `proxy`: comes not from Discord but from the proxy in front of it, whose bans last longer.
 */
export interface Limit {
  scope: "user" | "shared" | "global" | "proxy";
  /** Null if the answer named no time. */
  retryAfterMs: number | null;
}

/** Reads the bucket from the headers; null if there is none. */
export function readBucket(headers: Headers): BucketState | null {
  const bucket = headers.get("X-RateLimit-Bucket");
  const remaining = Number(headers.get("X-RateLimit-Remaining") ?? Number.NaN);
  const resetAfterMs = milliseconds(headers.get("X-RateLimit-Reset-After"));
  return bucket !== null && Number.isFinite(remaining) && resetAfterMs !== null
    ? { bucket, remaining, resetAfterMs }
    : null;
}

/** Reads a 429. `json` is its body, or null if the body is not JSON; then the answer is not from Discord. */
export function readLimit(headers: Headers, json: Record<string, unknown> | null): Limit {
  // The body is exact; the header has whole seconds.
  const retryAfterMs = milliseconds(json?.retry_after ?? headers.get("Retry-After"));
  if (!json) return { scope: "proxy", retryAfterMs };
  if (json.global === true) return { scope: "global", retryAfterMs };
  const scope = headers.get("X-RateLimit-Scope");
  return { scope: scope === "shared" || scope === "global" ? scope : "user", retryAfterMs };
}

/** Discord's own waits are far shorter. A longer one is an error, and would block a channel forever. */
const MAX_WAIT_MS = 3_600_000;

function milliseconds(seconds: unknown): number | null {
  const number = seconds === null || seconds === undefined ? Number.NaN : Number(seconds);
  return Number.isFinite(number) && number >= 0 ? Math.min(MAX_WAIT_MS, Math.ceil(number * 1000)) : null;
}

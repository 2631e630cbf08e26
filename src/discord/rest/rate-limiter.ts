// What one object knows of Discord's limits, shared by all its requests: the buckets from the answers' headers, the waits after 429s, and how
// many of its requests Discord counts as invalid. Says when a request may go out; sends nothing and never waits itself.
import { MAX_SENDS_PER_WINDOW, SEND_WINDOW_MS } from "../../core/limits.ts";
import type { Clock, Log } from "../../turn/ports.ts";
import type { BucketState } from "./rate-limits.ts";
import { isTokenRefused, type Refused } from "./refusal.ts";
import { type Endpoint, isByBot, type RestResult } from "./rest.ts";

/** What a request does. Discord limits each kind separately. */
export type SendKind =
  | "create"
  | "edit"
  | "delete"
  | "read"
  | "list"
  | "react"
  | "typing"
  | "thread"
  | "pin"
  | "person"
  | "sight"
  | "webhook";

/** The limits in an answer, for any kind of request. */
type Seen = RestResult | { ok: true; bucket: BucketState | null };

/** A 429 that is not from Discord comes from the proxy in front of it, whose bans last longer. */
const PROXY_WAIT_MS = 60_000;
/** The wait after a 429 that names no time. */
const UNNAMED_WAIT_MS = 5000;

/** How many bucket names are kept, the most recent ones. Each interaction token brings a few and then ends. */
const MAX_BUCKETS = 200;

/** Discord bans an address for 10,000 invalid requests within this time (docs: topics/rate-limits). */
const INVALID_WINDOW_MS = 10 * 60_000;
/** Many objects share one address. An object with this many invalid requests slows down to one request per SLOW_GAP_MS. */
const INVALID_SLOW = 20;
const SLOW_GAP_MS = 5000;
/** An object with this many sends nothing until the oldest one is outside the window. */
const INVALID_STOP = 60;

/**
 * The waits after Discord refused the bot's token. Only a new token helps, which comes with a new life, unless Discord was wrong. Many objects
 * share one address, so each tries rarely, with one request at a time.
 */
const REFUSED_WAIT_MS = 2 * 60_000;
const MAX_REFUSED_WAIT_MS = 60 * 60_000;

const NEVER = Number.NEGATIVE_INFINITY;

/** The rate limits of one object. Times are epoch milliseconds. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #log: Log;
  /** The bucket of each kind of request to a resource, once an answer has named it. */
  readonly #buckets = new Map<string, string>();
  readonly #closedUntil = new Map<string, number>();
  /** Times of the latest requests that share a window, oldest first. */
  readonly #sent = new Map<string, number[]>();
  #lastSentAt = NEVER;
  #invalid: number[] = [];
  /** How many requests in a row were tried with a token that Discord refused. */
  #refusals = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Returns when a request of this kind may go out. */
  readyAt(endpoint: Endpoint, kind: SendKind): number {
    const resource = resourceKey(endpoint);
    const closed = [EVERYTHING, authorityName(endpoint), this.#bucketOf(resource, kind)];
    const waits = closed.map((key) => this.#closedUntil.get(key) ?? NEVER);
    return Math.max(...waits, this.#windowOpensAt(windowKey(endpoint, kind)), this.#invalidAllowsAt());
  }

  /** Notes a request that is about to go out. Call it exactly once per request. */
  sending(endpoint: Endpoint, kind: SendKind): void {
    const now = this.#clock();
    const window = windowKey(endpoint, kind);
    const recent = (this.#sent.get(window) ?? []).filter((at) => at > now - SEND_WINDOW_MS);
    // Interaction tokens last a quarter of an hour; forget those that are no longer used.
    for (const [key, times] of this.#sent) if ((times.at(-1) ?? NEVER) <= now - SEND_WINDOW_MS) this.#sent.delete(key);
    this.#sent.set(window, [...recent, now].slice(-MAX_SENDS_PER_WINDOW));
    this.#lastSentAt = now;
    if (this.#refusals > 0 && isByBot(endpoint)) this.#closeToken();
  }

  /** Whether Discord has refused the bot's token, and it must not be tried again yet. */
  get isTokenRefused(): boolean {
    return this.#refusals > 0 && (this.#closedUntil.get(THE_BOT) ?? NEVER) > this.#clock();
  }

  /** Closes the bot's token; each wait is twice as long as the last. */
  #closeToken(): void {
    const waitMs = Math.min(REFUSED_WAIT_MS * 2 ** this.#refusals++, MAX_REFUSED_WAIT_MS);
    this.#close(THE_BOT, this.#clock() + waitMs);
  }

  #sawToken(result: Seen): void {
    // An outage and a ban of our address say nothing about the token.
    if (!result.ok && (result.kind !== "refused" || result.status >= 500 || result.limit?.scope === "proxy")) return;
    if (!result.ok && isTokenRefused(result)) {
      if (this.#refusals > 0) return;
      this.#closeToken();
      this.#log.error("Discord does not accept the bot's token: nothing is sent with it for now", {});
    } else if (this.#refusals > 0) {
      this.#refusals = 0;
      this.#closedUntil.delete(THE_BOT);
    }
  }

  /** Records the limits in an answer, and counts an invalid request. */
  saw(endpoint: Endpoint, kind: SendKind, result: Seen): void {
    const now = this.#clock();
    for (const [key, until] of this.#closedUntil) if (until <= now) this.#closedUntil.delete(key);
    if (isByBot(endpoint)) this.#sawToken(result);
    const resource = resourceKey(endpoint);
    if ("bucket" in result && result.bucket) {
      const { bucket, remaining, resetAfterMs } = result.bucket;
      const key = `${kind} ${resource}`;
      this.#buckets.delete(key);
      this.#buckets.set(key, bucket);
      const [oldest = ""] = this.#buckets.keys();
      if (this.#buckets.size > MAX_BUCKETS) this.#buckets.delete(oldest);
      if (remaining <= 0) this.#close(this.#bucketOf(resource, kind), now + resetAfterMs);
    }
    if (result.ok || result.kind !== "refused") return;
    const { limit, status } = result;
    if (limit) this.#limited(limit, endpoint, this.#bucketOf(resource, kind), now);
    if (status === 401 || status === 403 || (status === 429 && limit?.scope !== "shared")) this.#countInvalid(now);
  }

  #limited(
    { scope, retryAfterMs }: NonNullable<Refused["limit"]>,
    endpoint: Endpoint,
    bucket: string,
    now: number,
  ): void {
    if (scope === "proxy") this.#close(EVERYTHING, now + Math.max(PROXY_WAIT_MS, retryAfterMs ?? 0));
    else this.#close(scope === "global" ? authorityName(endpoint) : bucket, now + (retryAfterMs ?? UNNAMED_WAIT_MS));
  }

  #close(key: string, until: number): void {
    this.#closedUntil.set(key, Math.max(until, this.#closedUntil.get(key) ?? NEVER));
  }

  #bucketOf(resource: string, kind: SendKind): string {
    const name = this.#buckets.get(`${kind} ${resource}`);
    return `${name ?? kind} ${resource}`;
  }

  #windowOpensAt(window: string): number {
    const times = this.#sent.get(window) ?? [];
    const first = times[times.length - MAX_SENDS_PER_WINDOW];
    return first === undefined ? NEVER : first + SEND_WINDOW_MS + 1;
  }

  #countInvalid(now: number): void {
    this.#invalid = [...this.#invalid.filter((at) => at > now - INVALID_WINDOW_MS), now].slice(-INVALID_STOP);
    const count = this.#invalid.length;
    if (count === INVALID_SLOW) this.#log.warn("Discord refuses many requests: sending slowly", { count });
    if (count === INVALID_STOP)
      this.#log.error("Discord refuses too many requests: sending nothing for now", { count });
  }

  #invalidAllowsAt(): number {
    const now = this.#clock();
    const recent = this.#invalid.filter((at) => at > now - INVALID_WINDOW_MS);
    const [oldest = now] = recent;
    if (recent.length >= INVALID_STOP) return oldest + INVALID_WINDOW_MS;
    return recent.length >= INVALID_SLOW ? this.#lastSentAt + SLOW_GAP_MS : NEVER;
  }
}

const EVERYTHING = "everything";
const THE_BOT = "the bot";

/** Returns whose global limit a request counts against. Requests to interaction webhooks don't count against the bot (Discord). */
const authorityName = (endpoint: Endpoint) => (isByBot(endpoint) ? THE_BOT : "the address");

/** Returns the top-level resource of an endpoint: the same bucket name counts separately for each (Discord). */
function resourceKey(endpoint: Endpoint): string {
  if (isByBot(endpoint)) return `channel ${endpoint.channelId}`;
  return "token" in endpoint ? `token ${endpoint.token}` : `webhook ${endpoint.webhookId}`;
}

/** Returns the window that a request counts against: one per token, and in a channel one per kind, so that no sign or edit delays an answer. */
const windowKey = (endpoint: Endpoint, kind: SendKind): string =>
  isByBot(endpoint) ? `${kind} ${resourceKey(endpoint)}` : resourceKey(endpoint);

// Sends one request with the bot's own token, for anything other than a reply's messages, and describes a failure in words. Does not decide
// about retries.

import type { Clock } from "../../turn/ports.ts";
import { fetchAsBot } from "./bot-fetch.ts";
import type { RateLimiter, SendKind } from "./rate-limiter.ts";
import { readBucket } from "./rate-limits.ts";
import { isTokenRefused, refusalFrom } from "./refusal.ts";
import type { RestFailure, RestPorts } from "./rest.ts";

/** What such requests need besides the usual ports: the rate limits that the whole object shares. */
export interface BotPorts extends RestPorts {
  rateLimiter: RateLimiter;
  clock: Clock;
}

/** A request with the bot's token. `reason` appears in the server's audit log. */
export interface BotRequest {
  method: "GET" | "PUT" | "POST" | "DELETE";
  path: string;
  kind: SendKind;
  body?: object;
  reason?: string;
  signal?: AbortSignal;
}

/** The JSON that came back (null for an empty answer), or why none did. */
export type BotAnswer = { ok: true; json: unknown } | BotFailure;
/** Why a request failed, in words for the model. `retryable`: the same request may work later, after `retryAfterMs` if given. */
export type BotFailure = { ok: false; error: string; retryable?: boolean; retryAfterMs?: number; isFault?: true };

/** Sends one request about a channel; the signal aborts it. Sends nothing while Discord's limits forbid it. Never throws. */
export async function botRequest(ports: BotPorts, channelId: string, request: BotRequest): Promise<BotAnswer> {
  const { method, kind, path, body, reason, signal } = request;
  const { rateLimiter, clock } = ports;
  const endpoint = { channelId };
  const waitMs = rateLimiter.readyAt(endpoint, kind) - clock();
  if (waitMs > 0) return rateLimiter.isTokenRefused ? { ok: false, error: NO_TOKEN } : limited(waitMs);
  rateLimiter.sending(endpoint, kind);
  try {
    // A header takes only Latin-1 characters, so Discord expects this one percent-encoded.
    const why = reason && encodeURIComponent(reason.toWellFormed()).slice(0, MAX_REASON_CHARS);
    const headers = why ? { "X-Audit-Log-Reason": why } : {};
    const response = await fetchAsBot(ports, method, path, { body, headers, ...(signal && { signal }) });
    const text = await response.text();
    const refusal = response.ok ? null : refusalFrom(response, text);
    rateLimiter.saw(endpoint, kind, refusal ?? { ok: true, bucket: readBucket(response.headers) });
    return refusal ? botFailureFrom(refusal, request) : { ok: true, json: text === "" ? null : JSON.parse(text) };
  } catch (error) {
    if (signal?.aborted) return { ok: false, error: "the request was ended" };
    ports.onLost?.(method, error);
    return botFailureFrom({ ok: false, kind: "unreachable", text: String(error) }, request);
  }
}

const limited = (retryAfterMs: number | null): BotFailure => ({
  ok: false,
  error: "Discord is limiting our requests",
  retryable: true,
  ...(retryAfterMs !== null && { retryAfterMs }),
});

const MAX_REASON_CHARS = 512;

const NO_PERSON = "there is no such person";
const NO_TOKEN = "Discord does not accept the bot's token; the bot's owner can set a new one";
const NO_PERMISSION = "the bot lacks the permission for this here; somebody with Manage Roles can grant it";
const THREADS_FULL = "this server already has the maximum number of active threads";
const THREAD_EXISTS = "this message already has a thread";

type Failed = Pick<BotFailure, "error">;
/** Whether nobody has this id, or nobody in the server. */
export const isNoPerson = ({ error }: Failed): boolean => error === NO_PERSON;
/** Whether the bot may not do this here. */
export const isForbidden = ({ error }: Failed): boolean => error === NO_PERMISSION;
/** Whether the bot's token is refused, so that nothing can be read or done. */
export const lacksToken = ({ error }: Failed): boolean => error === NO_TOKEN;
/** Whether the message already has a thread. */
export const hasThread = ({ error }: Failed): boolean => error === THREAD_EXISTS;

/** Begins the error for any other refusal; Discord's own words follow, for a model. */
export const REFUSED = "Discord refused this: ";

/** What Discord's codes mean for the person who asked (docs: topics/opcodes-and-status-codes). */
const WORDS: Record<number, string> = {
  10003: "this channel no longer exists",
  10008: "there is no such message in this channel",
  10007: NO_PERSON,
  10013: NO_PERSON,
  10014: "Discord does not know this emoji",
  30003: "this channel already has the maximum number of pinned messages",
  30010: "the message already has the maximum number of different reactions",
  50001: "the bot is not a member here or may not see this channel",
  50013: NO_PERMISSION,
  50024: "this can't be done in this kind of channel",
  90001: "the author of the message has blocked the bot",
  160004: THREAD_EXISTS,
  160005: "this thread is locked",
  160006: THREADS_FULL,
  // The same in an announcement channel.
  160007: THREADS_FULL,
};

/** Ends the error of a request that may have been carried out: one that creates something must not simply be repeated. */
export const unsure = ({ method }: Pick<BotRequest, "method">): string =>
  method === "POST" ? "; whether it did anything is unknown" : "";

function botFailureFrom(refusal: RestFailure, request: BotRequest): BotFailure {
  if (refusal.kind === "unreachable" || refusal.status >= 500)
    return { ok: false, error: `Discord could not be reached${unsure(request)}`, retryable: true };
  const { status, code, limit, text } = refusal;
  if (status === 429) return limited(limit?.retryAfterMs ?? null);
  return { ok: false, error: isTokenRefused(refusal) ? NO_TOKEN : (WORDS[code] ?? REFUSED + text) };
}

// Reads an answer of Discord's that is not a success: the reason, and how long to wait.

import { parseJson } from "../../core/json.ts";
import { type BucketState, type Limit, readBucket, readLimit } from "./rate-limits.ts";

/** A request that Discord refused. */
export interface Refused {
  ok: false;
  kind: "refused";
  status: number;
  /** Discord's own code; 0 if it gave none. */
  code: number;
  /** The limit that a 429 names; null for every other refusal. */
  limit: Limit | null;
  text: string;
  bucket?: BucketState | null;
}

/** The proxy in front of Discord blocks us, as with its own 429s: Discord has not seen the request. */
const BLOCKED = 40333;

/** The codes of a 401 that is about the bot's token; other codes are about a webhook's token, or the person. */
const OF_TOKEN = [0, 40001, 50014];

/** Whether Discord refused the bot's token. */
export const isTokenRefused = ({ status, code }: Pick<Refused, "status" | "code">): boolean =>
  status === 401 && OF_TOKEN.includes(code);

/** The result instead of a request whose token is missing, or which Discord has just refused. */
export const TOKEN_REFUSED: Refused = {
  ...{ ok: false, kind: "refused", status: 401, code: 0, limit: null },
  text: "the bot's token is missing or refused",
};

/** Whether a proxy in front of Discord refused: Discord itself explains in JSON. Such a refusal says as little about the request as a 5xx. */
const isByProxy = (status: number, json: Record<string, unknown> | null): boolean =>
  json === null && [401, 403, 404].includes(status);

/**
 * Whether the JSON of a 429 is the proxy's ban of our address. Discord's own limits name a time to wait or a scope, or have a code. While a ban
 * lasts, each request makes it longer.
 */
const isBan = ({ code, retry_after }: Record<string, unknown>, headers: Headers): boolean =>
  !code && retry_after === undefined && !headers.has("X-RateLimit-Scope");

/** Reads an answer that is not a success; `text` is its body. A proxy's refusal has the status 502, its block 429. */
export function refusalFrom(response: Response, text: string): Refused {
  const json = parseObject(text);
  const { headers } = response;
  const isBlock = json?.code === BLOCKED || (response.status === 429 && json !== null && isBan(json, headers));
  const status = isBlock ? 429 : isByProxy(response.status, json) ? 502 : response.status;
  return {
    ok: false,
    kind: "refused",
    status,
    code: Number(json?.code ?? 0),
    limit: status === 429 ? readLimit(headers, isBlock ? null : json) : null,
    // A proxy may repeat the URL, with a token by which anyone can write in the channel. All of Discord's own codes are shorter.
    text: text.replace(/[\w-]{60,}/g, "\u2026").slice(0, 500),
    bucket: readBucket(headers),
  };
}

/** Parses a JSON object; null for anything else. */
export function parseObject(text: string): Record<string, unknown> | null {
  const json = parseJson(text);
  return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
}

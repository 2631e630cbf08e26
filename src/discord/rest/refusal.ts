// What an answer of Discord says that is not a success: its reason, and how long to wait.

import { parseJson } from "../../core/json.ts";
import { type BucketState, type Limit, readBucket, readLimit } from "./rate-limits.ts";

/** A request that Discord refused. */
export interface Refused {
  ok: false;
  kind: "refused";
  status: number;
  /** Discord's own code; 0: it gave none. */
  code: number;
  /** The limit that a 429 names; null for every other refusal. */
  limit: Limit | null;
  text: string;
  bucket?: BucketState | null;
}

/** The proxy before Discord blocks us, as a 429 of its own does: Discord has not seen the request. */
const BLOCKED = 40333;

/** Discord's codes of a 401 that means the bot's token; others mean a webhook's, or the person. */
const OF_TOKEN = [0, 40001, 50014];

/** Does Discord not know the bot's token? */
export const isTokenRefused = ({ status, code }: Pick<Refused, "status" | "code">): boolean =>
  status === 401 && OF_TOKEN.includes(code);

/** In place of a request with a token that is missing, or that Discord has just refused. */
export const TOKEN_REFUSED: Refused = {
  ...{ ok: false, kind: "refused", status: 401, code: 0, limit: null },
  text: "the bot's token is missing or refused",
};

/** Discord explains a refusal in JSON. What a proxy before it answers says as little of the request as a fault does. */
const isByProxy = (status: number, json: Record<string, unknown> | null): boolean =>
  json === null && [401, 403, 404].includes(status);

/**
 * The proxy's ban of an address comes in JSON, too: each limit of Discord's own says how long to wait or for whom it holds, or has a code.
 * While it lasts, each request makes it longer.
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
    // A proxy may repeat the address, with a token by which anyone can write in the channel. All of Discord's codes are shorter.
    text: text.replace(/[\w-]{60,}/g, "\u2026").slice(0, 500),
    bucket: readBucket(headers),
  };
}

/** Null for anything that is not a JSON object. */
export function parseObject(text: string): Record<string, unknown> | null {
  const json = parseJson(text);
  return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
}

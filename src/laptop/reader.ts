// Sends the requests of the bot's tools, which the runtime can't judge: whoever may use the bot names their addresses, and a name may lead
// into the network of this computer. Here the connection is made, so what the name leads to is known before.
import { lookup as lookUp } from "node:dns";
import { request as askHttp, type IncomingMessage } from "node:http";
import { request as askHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isPublicHost } from "../tools/web/public-url.ts";
import { READER_KEY, REFUSED, TARGET } from "./public-web.ts";

/** Where a name leads; `node:dns` says it. */
export type LookUp = (
  hostname: string,
  options: { all: true },
  done: (error: Error | null, found: { address: string; family: number }[]) => void,
) => void;

/** Each of its ends would be another connection's. */
const OF_THE_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "host",
  READER_KEY,
  TARGET,
  REFUSED,
]);
/** Statuses whose answer has no body. */
const EMPTY = new Set([204, 205, 304]);

/** Is this address, as a lookup gives it, on the public internet? */
function isPublic({ address, family }: { address: string; family: number }): boolean {
  const url = `http://${family === 6 ? `[${address}]` : address}`;
  return URL.canParse(url) && isPublicHost(new URL(url).hostname);
}

/** Looks up as a connection does, and fails where any address of the name is in a private network. */
export const publicLookup =
  (resolve: LookUp = lookUp): LookupFunction =>
  (hostname, { all }, done) =>
    resolve(hostname, { all: true }, (error, found) => {
      const [first] = found ?? [];
      const failure =
        error ?? (first && found.every(isPublic) ? null : new Error(`${hostname} leads into a private network`));
      if (failure || !first) done(failure, "", 0);
      else if (all) done(null, found);
      else done(null, first.address, first.family);
    });

/**
 * Sends the request that this one carries, to a name on the public internet, and resolves with its answer as it comes; redirects are left
 * to the caller. A failure is an answer with the header `REFUSED`. `key`: who doesn't know it is refused.
 */
export async function readPublic(request: Request, key: string, lookup = publicLookup()): Promise<Response> {
  const { headers, method, signal } = request;
  const target = URL.parse(headers.get(TARGET) ?? "");
  if (headers.get(READER_KEY) !== key || !target) return new Response(null, { status: 403 });
  const send = { "http:": askHttp, "https:": askHttps }[target.protocol];
  if (!send || !isPublicHost(target.hostname)) return failed("it is no public address");
  const sent = Object.fromEntries([...headers].filter(([name]) => !OF_THE_CONNECTION.has(name)));
  const outgoing = send(target, { method, headers: sent, lookup, signal });
  return new Promise((resolve) => {
    // Once there is an answer, whoever reads it learns what breaks it.
    outgoing.on("error", (error) => resolve(failed(error.message)));
    outgoing.once("response", (incoming) => resolve(answerFrom(incoming)));
    // Nothing else follows an answer in another protocol.
    outgoing.once("close", () => resolve(failed("the connection was closed")));
    if (request.body) pipeline(Readable.fromWeb(request.body), outgoing).catch(() => {});
    else outgoing.end();
  });
}

/** A server may answer with what is no answer: a status or a header that none can have. */
function answerFrom(incoming: IncomingMessage): Response {
  try {
    const { statusCode: status = 0, headersDistinct } = incoming;
    const kept = new Headers();
    for (const [name, values = []] of Object.entries(headersDistinct))
      if (!OF_THE_CONNECTION.has(name)) for (const value of values) kept.append(name, value);
    const body = EMPTY.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
    if (!body) incoming.resume();
    return new Response(body, { status, headers: kept });
  } catch (error) {
    incoming.destroy();
    return failed(String(error));
  }
}

const failed = (why: string): Response =>
  new Response(null, { status: 502, headers: { [REFUSED]: encodeURIComponent(why) } });

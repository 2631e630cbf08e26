// Sends the requests of the bot's tools. Whoever may use the bot chooses their addresses, and a name may resolve to an address in this
// computer's network. The runtime can't see that; this process makes the connection itself, so it can check the address first.
import { lookup as lookUp } from "node:dns";
import { request as askHttp, type IncomingMessage } from "node:http";
import { request as askHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isPublicHost } from "../tools/web/public-url.ts";
import { READER_KEY, REFUSED, TARGET } from "./public-web.ts";

/** Resolves a name, as `node:dns` does. */
export type LookUp = (
  hostname: string,
  options: { all: true },
  done: (error: Error | null, found: { address: string; family: number }[]) => void,
) => void;

/** Headers that belong to one connection and are not passed on to the other. */
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

/** Whether this address, as a lookup returns it, is on the public internet. */
function isPublic({ address, family }: { address: string; family: number }): boolean {
  const url = `http://${family === 6 ? `[${address}]` : address}`;
  return URL.canParse(url) && isPublicHost(new URL(url).hostname);
}

/** Creates a lookup for a connection, which fails if any address of the name is in a private network. */
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
 * Sends the request that this one carries to a public address, and resolves with its answer, whose body streams. Does not follow redirects. A
 * failure is an answer with the header `REFUSED`. A request without the right `key` gets 403.
 */
export async function readPublic(request: Request, key: string, lookup = publicLookup()): Promise<Response> {
  const { headers, method, signal } = request;
  const target = URL.parse(headers.get(TARGET) ?? "");
  if (headers.get(READER_KEY) !== key || !target) return new Response(null, { status: 403 });
  const send = { "http:": askHttp, "https:": askHttps }[target.protocol];
  if (!send || !isPublicHost(target.hostname)) return failed("it is not a public address");
  const sent = Object.fromEntries([...headers].filter(([name]) => !OF_THE_CONNECTION.has(name)));
  const outgoing = send(target, { method, headers: sent, lookup, signal });
  return new Promise((resolve) => {
    // After the answer has started, later errors reach whoever reads its body.
    outgoing.on("error", (error) => resolve(failed(error.message)));
    outgoing.once("response", (incoming) => resolve(answerFrom(incoming)));
    // For an answer in another protocol, no other event comes.
    outgoing.once("close", () => resolve(failed("the connection was closed")));
    if (request.body) pipeline(Readable.fromWeb(request.body), outgoing).catch(() => {});
    else outgoing.end();
  });
}

/** Converts the answer. A server may send a status or a header that a Response can't have; that is a failure. */
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

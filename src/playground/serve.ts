// Serves a fetch-style handler on a real loopback port, in Node. Bodies stream both ways, and a client that hangs up fires the request's
// AbortSignal. Listens only on 127.0.0.1.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A listening handler. `url` has no trailing slash; `close` also cuts the connections that are still open. */
export interface Served {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves `handler` on 127.0.0.1. `port` 0, the default, takes a free one. `keepsAlive` false: the process may end while this listens.
 * If the handler throws, the answer is 500.
 */
export async function serve(
  handler: (request: Request) => Promise<Response> | Response,
  { port = 0, keepsAlive = true }: { port?: number; keepsAlive?: boolean } = {},
): Promise<Served> {
  const server = createServer((incoming, outgoing) => void answer(handler, incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  if (!keepsAlive) server.unref();
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Keeps a reference to each request. Node garbage-collects an unreferenced request, and then its signal never fires for a waiting handler. */
const underWay = new Set<Request>();

async function answer(
  handler: (request: Request) => Promise<Response> | Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  const request = toRequest(incoming, gone.signal);
  // This must not throw: an unhandled rejection would end the process.
  if (request === null) return void outgoing.writeHead(400).end();
  underWay.add(request);
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort();
    underWay.delete(request);
  });
  try {
    const response = await handler(request);
    outgoing.writeHead(response.status, [...response.headers].flat());
    // Send the headers at once: a client that waits for a stream's first byte must see that it was accepted.
    outgoing.flushHeaders();
    if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing);
    else outgoing.end();
  } catch (error) {
    if (gone.signal.aborted || outgoing.destroyed) return;
    if (outgoing.headersSent) return void outgoing.destroy();
    outgoing.writeHead(500, { "content-type": "text/plain" }).end(String(error));
  }
}

/** Converts the request. Null: a Request can't have its address, its method or one of its headers. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | null {
  const { method = "GET", url = "/", headers } = incoming;
  try {
    const fields = new Headers();
    for (const [name, value] of Object.entries(headers))
      for (const one of [value ?? []].flat()) fields.append(name, one);
    const init: RequestInit = { method, headers: fields, signal };
    if (method !== "GET" && method !== "HEAD") {
      init.body = Readable.toWeb(incoming);
      init.duplex = "half";
    }
    return new Request(`http://${headers.host ?? "127.0.0.1"}${url}`, init);
  } catch {
    return null;
  }
}

// The local Gateway's sockets in Node, for the lanes in which the local Discord lives in the test's process. It can also break or freeze a
// socket, which workerd can't.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import type { LocalGateway } from "../../src/playground/gateway/gateway.ts";

/** A listening Gateway. */
export interface GatewayServer {
  /** Without a slash at the end; give it to the local Discord as its `gatewayUrl`. */
  url: string;
  /** Lets this Gateway answer the sockets. Before that, they wait. */
  connect(gateway: LocalGateway): void;
  /** True: the current sockets stop reading and sending but stay open. False: they continue. */
  freeze(isFrozen: boolean): void;
  close(): Promise<void>;
}

/** How often the Gateway checks whether something has taken too long. */
const SWEEP_MS = 100;

/** Listens on a free port of 127.0.0.1. */
export async function serveGateway(): Promise<GatewayServer> {
  const connected = Promise.withResolvers<LocalGateway>();
  const http = createServer((_, response) => void response.writeHead(426).end());
  const sockets = new WebSocketServer({ noServer: true });
  let frozen = false;
  let sweeping: NodeJS.Timeout | undefined;
  http.on("upgrade", async (request, socket, head) => {
    const gateway = await connected.promise;
    const status = gateway.refusesUpgrade();
    if (status !== null) return void socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (ours) => {
      let isFrozen = frozen;
      freezers.add((now) => {
        isFrozen = now;
        if (now) ours.pause();
        else ours.resume();
      });
      const open = gateway.open(
        {
          send: (text) => isFrozen || ours.send(text),
          close: (code, reason) => {
            if (isFrozen) return;
            if (code === 1005 || code === 1006) ours.close();
            else ours.close(code, reason);
          },
          drop: () => ours.terminate(),
        },
        `${url}${request.url}`,
      );
      ours.on("message", (data: Buffer, isBinary: boolean) =>
        open.receive(isBinary ? Uint8Array.from(data).buffer : data.toString()),
      );
      ours.on("close", (code) => open.closed(code));
      ours.on("error", () => open.closed(1006));
    });
  });
  const freezers = new Set<(isFrozen: boolean) => void>();
  await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url: `${url}/gateway`,
    connect: (gateway) => {
      connected.resolve(gateway);
      sweeping ??= setInterval(() => gateway.sweep(), SWEEP_MS);
    },
    freeze: (isFrozen) => {
      frozen = isFrozen;
      for (const freezer of freezers) freezer(isFrozen);
    },
    close: () =>
      new Promise((closed) => {
        clearInterval(sweeping);
        for (const socket of sockets.clients) socket.terminate();
        http.close(() => closed());
        http.closeAllConnections();
      }),
  };
}

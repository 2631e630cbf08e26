// The local Gateway's sockets in workerd: one end goes to the application, the other to the rules. Knows nothing about frames.
import type { LocalGateway } from "./gateway.ts";

/** These codes mean that there was no code (1005) or no close (1006). They can't be sent. */
const NO_CODE = new Set([1005, 1006]);

/** Answers an upgrade. workerd can't break a socket, so `drop` closes it without a code. */
export function acceptSocket(gateway: LocalGateway, request: Request): Response {
  const status = gateway.refusesUpgrade();
  if (status !== null) return new Response("The Gateway is not available.\n", { status });
  const [theirs, ours] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
  ours.accept();
  // If the client has left, the socket throws. The end of the socket is reported separately.
  const quietly = (act: () => void) => {
    try {
      act();
    } catch {}
  };
  const socket = gateway.open(
    {
      send: (text) => quietly(() => ours.send(text)),
      close: (code, reason) => quietly(() => (NO_CODE.has(code) ? ours.close() : ours.close(code, reason))),
      drop: () => quietly(() => ours.close()),
    },
    request.url,
  );
  ours.addEventListener("message", ({ data }) => socket.receive(data));
  ours.addEventListener("close", ({ code }) => {
    quietly(() => ours.close());
    socket.closed(code);
  });
  ours.addEventListener("error", () => socket.closed(1006));
  return new Response(null, { status: 101, webSocket: theirs });
}

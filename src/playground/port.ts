// Ports of the loopback for processes that are started by us: those that a flag may name, and free ones.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** The port of a playground unless a flag says otherwise. */
export const DEFAULT_PORT = 8787;

/** A port as a number; null for any other text. */
export function readPort(text: string): number | null {
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

/** The sentence about a port that is none. */
export const notAPort = (text: string): string => `--port must be a number from 1 to 65535, not "${text}".`;

/**
 * The requested port, if nothing listens on it; any free one for 0. Rejects with a sentence when it can't be had.
 *
 * A free one lies below 32768. Linux gives outgoing connections the ports from there on: one of those may be taken by anybody's request
 * before our process listens on it, or while it is being started again.
 */
export async function freePort(port: number): Promise<number> {
  if (port !== 0) {
    const code = await tryPort(port);
    if (code === null) return port;
    const why = code === "EADDRINUSE" ? "is busy" : `can't be opened (${code})`;
    throw new Error(`Port ${port} ${why}. Choose another with --port.`);
  }
  for (;;) {
    const chosen = randomInt(10_000, 32_768);
    if ((await tryPort(chosen)) === null) return chosen;
  }
}

/** Listens there for a moment. The system's code of the reason why that can't be done, or null. */
function tryPort(port: number): Promise<string | null> {
  const probe = createServer();
  return new Promise((tried) => {
    probe.once("error", ({ code }: NodeJS.ErrnoException) => tried(code ?? "no reason"));
    probe.listen(port, "127.0.0.1", () => probe.close(() => tried(null)));
  });
}

// Loopback ports for the processes that we start: those that a flag names, and free ones.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** The port of a playground unless a flag says otherwise. */
export const DEFAULT_PORT = 8787;

/** Reads a port number; null for any other text. */
export function readPort(text: string): number | null {
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

/** The sentence about a text that is not a port. */
export const notAPort = (text: string): string => `--port must be a number from 1 to 65535, not "${text}".`;

/**
 * Returns the requested port if nothing listens on it, or any free one for 0. Rejects with a sentence if the port can't be used.
 *
 * A free one is above 10080, the highest port that browsers and `fetch` refuse (the Fetch standard's bad ports), and below 32768. Linux uses
 * the ports from there on for outgoing connections, so any request could take one of them before our process listens on it, or while that
 * process restarts.
 */
export async function freePort(port: number): Promise<number> {
  if (port !== 0) {
    const code = await tryPort(port);
    if (code === null) return port;
    const why = code === "EADDRINUSE" ? "is busy" : `can't be opened (${code})`;
    throw new Error(`Port ${port} ${why}. Choose another with --port.`);
  }
  for (;;) {
    const chosen = randomInt(10_081, 32_768);
    if ((await tryPort(chosen)) === null) return chosen;
  }
}

/** Listens there for a moment. Resolves with null, or with the system's error code. */
function tryPort(port: number): Promise<string | null> {
  const probe = createServer();
  return new Promise((tried) => {
    probe.once("error", ({ code }: NodeJS.ErrnoException) => tried(code ?? "no reason"));
    probe.listen(port, "127.0.0.1", () => probe.close(() => tried(null)));
  });
}

// Discord's REST for the few requests at the start. Waits when Discord rate-limits them, for example after many starts in a row.
import { setTimeout as sleep } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import type { RestPorts } from "../discord/rest/rest.ts";
import { userAgent } from "../discord/rest/user-agent.ts";

const LIMIT_MS = 15_000;
const MOST_WAITS = 3;
/** The screen shows nothing during the wait. When Discord's network refuses this computer, it asks for a longer wait than this. */
const LONGEST_WAIT_S = 20;

/** The options; `send` and `wait` default to the real ones. */
export interface RestOptions {
  baseUrl: string;
  botToken: string;
  /** Aborts requests and waits. */
  signal: AbortSignal;
  send?: typeof fetch;
  wait?: (ms: number) => Promise<unknown>;
}

/** Creates the ports. */
export function restPorts({
  baseUrl,
  botToken,
  signal,
  send = fetch,
  wait = (ms) => sleep(ms, undefined, { signal }),
}: RestOptions): RestPorts {
  return {
    async fetch(url, init) {
      for (let waits = 0; ; waits++) {
        const response = await send(url, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]) });
        const seconds = response.status === 429 ? Number(response.headers.get("retry-after")) : 0;
        if (!(seconds > 0 && seconds <= LONGEST_WAIT_S) || waits === MOST_WAITS) return response;
        await response.body?.cancel();
        await wait(seconds * 1000);
      }
    },
    baseUrl,
    userAgent: userAgent(manifest.version),
    botToken,
  };
}

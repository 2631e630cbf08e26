// Sends the trace of an ended turn to a collector once, after its reply. No turn waits for it, and it is not retried.
// Loaded when a turn ends and a collector is configured.
import type { TraceTarget } from "../../src/config/otlp.ts";
import { listSecrets } from "../../src/config/secrets.ts";
import { VERSION } from "../../src/config.ts";
import { hexOf } from "../../src/core/bytes.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import { createScrubber } from "../../src/toolkit/run/scrub.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { traceRequest } from "./otlp.ts";
import { wholeTurn } from "./whole-turn.ts";

const LIMIT_MS = 10_000;

/** Sends the trace. Never rejects. Sends nothing if this event has few requests left, because endings need those. */
export async function exportTrace(ports: ChannelPorts, turnId: string, { url, headers }: TraceTarget): Promise<void> {
  const { store, requests, timers, fetch, log } = ports;
  const turn = store.turn(turnId);
  if (!turn || requests.isReserved) return;
  try {
    const bytes = await crypto.subtle.digest(
      "SHA-256",
      new TextEncoder().encode(`${turn.request.channelId}/${turnId}`),
    );
    const body = JSON.stringify(traceRequest(wholeTurn(ports, turn), hexOf(bytes), VERSION));
    await withinLimit(timers, LIMIT_MS, null, async (signal) => {
      // Following a redirect would send the key to another server.
      const sent = { "Content-Type": "application/json", ...headers };
      const response = await fetch(url, { method: "POST", headers: sent, body, redirect: "manual", signal });
      await response.body?.cancel();
      if (!response.ok) log.warn("a trace was refused", { turnId, status: response.status });
    });
  } catch (error) {
    // The runtime's message may repeat an unusable value: an address with a password, a header.
    const scrubber = createScrubber([...listSecrets(ports.config), url]);
    log.warn("a trace was not sent", { turnId, error: scrubber.text(String(error)) });
  }
}

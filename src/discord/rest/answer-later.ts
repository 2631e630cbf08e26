// Brings the answer that a person waits for, after their interaction was acknowledged with "thinking".
import type { Timers } from "../../turn/ports.ts";
import { createDiscordRest, type InteractionEndpoint, type MessageBody, ORIGINAL, type RestPorts } from "./rest.ts";
import { decideSendFailure } from "./send-failure.ts";

/** Discord may know the acknowledgement only a moment after we do (10015), and may be down for another. */
const TRIES = 5;
const PAUSE_MS = 1000;

/** Edits the deferred response. May run twice. Never throws; `text` is Discord's reason, for the log. */
export async function answerLater(
  ports: RestPorts,
  timers: Timers,
  endpoint: InteractionEndpoint,
  body: MessageBody,
): Promise<{ ok: true } | { ok: false; text: string }> {
  const rest = createDiscordRest(ports);
  for (let tried = 1; ; tried++) {
    const sent = await rest.edit(endpoint, ORIGINAL, body);
    if (sent.ok) return sent;
    const mayPass = ["webhook_unknown", "unknown_outcome", "limited"].includes(decideSendFailure(sent));
    if (!mayPass || tried === TRIES) return { ok: false, text: sent.text };
    await new Promise<void>((resolve) => timers.after(PAUSE_MS * tried, resolve));
  }
}

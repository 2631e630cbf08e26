// Brings the answer that a person waits for, after their interaction was acknowledged with "thinking".
import { filesRefused } from "../../core/copy/files.ts";
import type { Timers } from "../../turn/ports.ts";
import { createDiscordRest, type InteractionEndpoint, type MessageBody, ORIGINAL, type RestPorts } from "./rest.ts";
import { decideSendFailure, mayPass } from "./send-failure.ts";

/** Discord may know the acknowledgement only a moment after we do (10015), and may be down for another. */
const TRIES = 5;
const PAUSE_MS = 1000;
/** The token would not outlive many longer pauses. */
const MAX_PAUSE_MS = 60_000;

/**
 * Edits the deferred response; where Discord refuses its files, says so there. May run twice. Never throws; `text` is Discord's reason,
 * for the log.
 */
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
    const failure = decideSendFailure(sent, body.files !== undefined);
    if (failure === "refused" && body.files)
      await rest.edit(endpoint, ORIGINAL, { content: filesRefused(body.files.map(({ name }) => name)) });
    if (!(mayPass(failure) || failure === "webhook_unknown") || tried === TRIES) return { ok: false, text: sent.text };
    const toldMs = sent.kind === "refused" ? (sent.limit?.retryAfterMs ?? 0) : 0;
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS * tried, toldMs));
    await new Promise<void>((resolve) => timers.after(pauseMs, resolve));
  }
}

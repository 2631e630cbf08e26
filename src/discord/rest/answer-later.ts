// Delivers the answer that a person is waiting for, after their interaction was acknowledged with "thinking".
import { filesRefused } from "../../core/copy/files.ts";
import type { Timers } from "../../turn/ports.ts";
import { createDiscordRest, type InteractionEndpoint, type MessageBody, ORIGINAL, type RestPorts } from "./rest.ts";
import { decideSendFailure, mayPass } from "./send-failure.ts";

/** Discord may not know the acknowledgement for a moment (10015), or may be down for one. */
const TRIES = 5;
const PAUSE_MS = 1000;
/** With many longer pauses, the token would end first. */
const MAX_PAUSE_MS = 60_000;

/**
 * Edits the deferred response; if Discord refuses its files, the response says so. May run twice. Never throws; `text` is Discord's reason, for
 * the log.
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
    const retryAfterMs = sent.kind === "refused" ? (sent.limit?.retryAfterMs ?? 0) : 0;
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS * tried, retryAfterMs));
    await new Promise<void>((resolve) => timers.after(pauseMs, resolve));
  }
}

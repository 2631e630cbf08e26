// Sends one person a private message in addition to the replies.
import { ACKNOWLEDGEMENT_RACE_MS } from "../../src/core/limits.ts";
import type { InteractionEndpoint } from "../../src/discord/rest/rest.ts";
import { decideSendFailure } from "../../src/discord/rest/send-failure.ts";
import type { ChannelPorts } from "../channel-ports.ts";

const FOLLOWUP_RETRY_MS = 500;

/**
 * Sends a private message to the person who made an interaction. Posts at most once: it retries only a 429 and Discord's race after
 * an acknowledgement, where the error proves that nothing was posted. Returns whether Discord has it; failures are logged.
 */
export async function tellPrivately(
  { rest, clock, timers, log }: ChannelPorts,
  endpoint: InteractionEndpoint,
  content: string,
): Promise<boolean> {
  const givenUpAt = clock() + ACKNOWLEDGEMENT_RACE_MS;
  for (;;) {
    const isLate = clock() >= givenUpAt;
    const result = await rest.create(endpoint, { content, ephemeral: true });
    if (result.ok) return true;
    const isUnposted = ["webhook_unknown", "limited"].includes(decideSendFailure(result));
    if (!isUnposted || isLate) {
      log.warn("a private message was not delivered", { text: result.text });
      return false;
    }
    await timers.wait(FOLLOWUP_RETRY_MS);
  }
}

// Messages beside the replies: a private sentence for one person, and pages of the thought log.
import { ACKNOWLEDGEMENT_RACE_MS } from "../../src/core/limits.ts";
import type { ChannelEndpoint, InteractionEndpoint, MessageBody } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";

const UNKNOWN_WEBHOOK = 10015;
const FOLLOWUP_RETRY_MS = 500;

/**
 * Sends a private sentence to the person behind an interaction. Posts at most once: it retries only a 429 and Discord's race after
 * an acknowledgement, where the error proves that nothing was posted. Returns whether Discord has it; failures are logged.
 */
export async function tellPrivately(
  { rest, clock, timers, log }: ChannelPorts,
  endpoint: InteractionEndpoint,
  content: string,
): Promise<boolean> {
  const givenUpAt = clock() + ACKNOWLEDGEMENT_RACE_MS;
  for (;;) {
    const result = await rest.create(endpoint, { content, ephemeral: true });
    if (result.ok) return true;
    const isUnposted = result.kind === "refused" && (result.code === UNKNOWN_WEBHOOK || result.limit !== null);
    if (!isUnposted || clock() >= givenUpAt) {
      log.warn("a private message was not delivered", { text: result.text });
      return false;
    }
    await timers.wait(FOLLOWUP_RETRY_MS);
  }
}

/** Posts pages as the bot, in order and each at most once. Stops at the first failure and logs it. */
export async function postSilently(
  { rest, log }: ChannelPorts,
  endpoint: ChannelEndpoint,
  turnId: string,
  pages: NonNullable<MessageBody["embed"]>[],
): Promise<void> {
  for (const [index, embed] of pages.entries()) {
    const result = await rest.create(endpoint, { embed, silent: true }, `${turnId}-t${index}`);
    if (!result.ok) return log.warn("the thought log was not posted", { turnId, text: result.text });
  }
}

// Repeats what Discord did not accept: the same request after a temporary failure, and a refused reply as a plain message.
import { ACKNOWLEDGEMENT_RACE_MS } from "../../src/core/limits.ts";
import { isReplyRefused } from "../../src/discord/delivery/reply-route.ts";
import type { ChannelEndpoint, MessageBody, RestResult } from "../../src/discord/rest/rest.ts";
import { decideSendFailure, mayPass } from "../../src/discord/rest/send-failure.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** The wait after a failed attempt. */
const RETRY_MS = 1000;

/** Makes a sender for a message that may reply to another one. Once Discord has refused the reply, it sends the message without it. */
export function replySender(
  rest: ChannelPorts["rest"],
  endpoint: ChannelEndpoint,
  body: MessageBody,
  nonce: string,
): () => Promise<RestResult> {
  let current = body;
  return async () => {
    const sent = await rest.create(endpoint, current, nonce);
    if (current.repliesTo === undefined || !isReplyRefused(sent)) return sent;
    const { repliesTo: _gone, ...alone } = current;
    current = alone;
    return rest.create(endpoint, current, nonce);
  };
}

/**
 * Sends until Discord accepts or refuses the request, at most until `until` (epoch milliseconds). Only for requests that may run twice.
 * `raceMs`: for how long Discord may not know the webhook yet. Returns the last result.
 */
export async function retried(
  { clock, timers }: Pick<ChannelPorts, "clock" | "timers">,
  until: number,
  send: () => Promise<RestResult>,
  raceMs = ACKNOWLEDGEMENT_RACE_MS,
): Promise<RestResult> {
  const racesUntil = clock() + raceMs;
  for (;;) {
    const mayRace = clock() < racesUntil;
    const result = await send();
    if (result.ok) return result;
    const failure = decideSendFailure(result);
    const isRace = mayRace && failure === "webhook_unknown";
    if (!(isRace || mayPass(failure)) || clock() >= until) return result;
    await timers.wait(RETRY_MS);
  }
}

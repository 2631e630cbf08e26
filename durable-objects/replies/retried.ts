// Repeats a request that changes what Discord has already, so that a moment's failure does not leave it as it was.
import { ACKNOWLEDGEMENT_RACE_MS } from "../../src/core/limits.ts";
import type { RestResult } from "../../src/discord/rest/rest.ts";
import { decideSendFailure } from "../../src/discord/rest/send-failure.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** The wait after a try without an answer. */
const RETRY_MS = 1000;

/**
 * Sends until Discord has done it or refuses it, at most until then (epoch milliseconds). Only for requests that may run twice. Returns
 * the last result.
 */
export async function retried(
  { clock, timers }: Pick<ChannelPorts, "clock" | "timers">,
  until: number,
  send: () => Promise<RestResult>,
): Promise<RestResult> {
  const racesUntil = clock() + ACKNOWLEDGEMENT_RACE_MS;
  for (;;) {
    const result = await send();
    if (result.ok) return result;
    const failure = decideSendFailure(result);
    const isRace = failure === "webhook_unknown" && clock() < racesUntil;
    const mayRetry = isRace || failure === "unknown_outcome" || failure === "limited";
    if (!mayRetry || clock() >= until) return result;
    await new Promise<void>((resolve) => timers.after(RETRY_MS, resolve));
  }
}

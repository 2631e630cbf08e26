// Sends signs (reactions, typing) in the background and within a time limit. A sign that fails is only logged.
import type { BotPorts } from "../../src/discord/rest/bot-request.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** What the signs need of the channel's ports. */
export type SignPorts = Pick<
  ChannelPorts,
  "discord" | "rateLimiter" | "clock" | "timers" | "keepAlive" | "log" | "config"
>;

const SIGN_LIMIT_MS = 5000;

/** Sends a sign, if there is a bot token. Resolves when that is over, for callers that send one after the other; never rejects. */
export function sendSign(
  ports: SignPorts,
  send: (bot: BotPorts, signal: AbortSignal) => Promise<void>,
  limitMs = SIGN_LIMIT_MS,
): Promise<void> {
  const { discord, timers, keepAlive, log, config } = ports;
  if (config.discord.botToken === null) return Promise.resolve();
  const limit = new AbortController();
  const cancel = timers.after(limitMs, () => limit.abort());
  const sent = send(discord, limit.signal)
    .catch((error: unknown) => log.warn("a sign was not given", { error: String(error) }))
    .finally(cancel);
  keepAlive(sent);
  return sent;
}

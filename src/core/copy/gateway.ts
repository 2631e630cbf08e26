// Says what the gateway is doing, for /health and `/bot status`.
import type { GatewayRefusal, SeenGatewayStatus } from "../state/gateway-status.ts";

/** What to do about `disallowed_intents`, wherever the bot runs. */
export const intentMissing =
  "The application does not have an intent that it asked for (4014). Open its Bot page in Discord's Developer Portal and switch Message Content on.";

/** Why Discord refuses us, and what to do about it. */
export const gatewayRefusals: Readonly<Record<GatewayRefusal, string>> = {
  bad_token: "Discord doesn't know the bot's token (4004). Set `DISCORD_BOT_TOKEN` to the current one.",
  bad_shard: "Discord didn't accept the shard (4010). Use a version of me that works with its gateway.",
  sharding_required: "The bot is in too many servers for one connection (4011). Remove it from some of them.",
  bad_version: "Discord no longer accepts this version of its gateway (4012). Use a newer version of me.",
  bad_intents: "Discord didn't accept the intents (4013). Use a newer version of me.",
  disallowed_intents: `${intentMissing} Then deploy with \`DISCORD_GATEWAY\` off, and on again.`,
};

/** Returns one word, or the reason and what to do about it. */
export function gatewayStatusText(status: SeenGatewayStatus): string {
  if (typeof status === "string") return status;
  return "usedUp" in status ? `unknown: ${status.usedUp}` : `refused: ${gatewayRefusals[status.refused]}`;
}

/** Writes a line for `/bot status`; null if the bot runs without the gateway. `commandsOnly`: `answer_to` is `off` in this channel. */
export function gatewayLine(status: SeenGatewayStatus, commandsOnly = false): string | null {
  if (status === "off") return null;
  if (commandsOnly) return "In this channel I answer only commands, because `answer_to` is `off`.";
  if (status === "connected") return "I hear mentions, replies and direct messages.";
  if (status === "unknown" || (typeof status === "object" && "usedUp" in status))
    return "I can't tell whether I hear mentions, replies and direct messages.";
  const why = typeof status === "string" ? "I am connecting to Discord." : gatewayRefusals[status.refused];
  return `I don't hear mentions, replies or direct messages at the moment: ${why}`;
}

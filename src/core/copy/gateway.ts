// What the gateway is doing, for /health and `/bot status`, and what is said to a message that asks nothing.
import type { GatewayRefusal, SeenGatewayStatus } from "../state/gateway-status.ts";

/** Why Discord refuses us, and what to do about it. */
export const gatewayRefusals: Readonly<Record<GatewayRefusal, string>> = {
  bad_token: "Discord doesn't know the bot's token (4004). Set `DISCORD_BOT_TOKEN` to the current one.",
  bad_shard: "Discord didn't accept the shard (4010). Use a version of me that fits its gateway.",
  sharding_required: "The bot is in too many servers for one connection (4011). Remove it from some of them.",
  bad_version: "Discord no longer accepts this version of its gateway (4012). Use a newer version of me.",
  bad_intents: "Discord didn't accept the intents (4013). Use a newer version of me.",
  disallowed_intents:
    "The application lacks an intent that it asked for (4014). Open its Bot page in Discord's Developer Portal and switch Message Content on. Then deploy with `DISCORD_GATEWAY` off, and on again.",
};

/** One word, or the reason with what to do about it. */
export function gatewayStatusText(status: SeenGatewayStatus): string {
  return typeof status === "string" ? status : `refused: ${gatewayRefusals[status.refused]}`;
}

/** A line for `/bot status`; null where the bot does without the gateway. */
export function gatewayLine(status: SeenGatewayStatus): string | null {
  if (status === "off") return null;
  if (status === "connected") return "I hear mentions, replies and direct messages.";
  if (status === "unknown") return "I can't tell whether I hear mentions, replies and direct messages.";
  const why = typeof status === "string" ? "I am connecting to Discord." : gatewayRefusals[status.refused];
  return `I don't hear mentions, replies and direct messages at the moment: ${why}`;
}

/** The answer to a mention without a question. */
export const mentionHelp = [
  "Write your question after the mention, reply to one of my messages, or send me a direct message.",
  "Reply to someone else's message and mention me to ask about that message.",
  "Use `/chat` to ask with a command, and `/stop` to stop my answer.",
].join("\n");

/** The answer to a mention that replies to a message whose words Discord does not show us. */
export const hiddenQuoteHelp =
  "Discord doesn't show me the message that you replied to. Open its menu and choose Apps, Ask about this.";

/** The answer to a mention of the bot's role alone, whose words Discord does not show us. */
export const hiddenMentionHint =
  "Discord doesn't show me the text of a message that mentions only my role. Mention me by my own name, and send it again.";

/** The answer to a reply whose words Discord does not show us. */
export const hiddenReplyHint =
  "Discord doesn't show me the text of this reply. Mention me in it, or turn its ping on, and send it again.";

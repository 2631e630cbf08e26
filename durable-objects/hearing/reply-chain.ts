// The messages that a question replies to, one after the other: read from Discord as far as the question does not bring them along.
import { MAX_REPLY_HOPS } from "../../src/core/limits.ts";
import { chainedMessage } from "../../src/discord/gateway/message-json.ts";
import type { GatewayMessage, QuotedMessage, RepliedTo } from "../../src/gateway/message.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { readAsBot } from "./hearing.ts";

/**
 * Reads the chain, the message that the question itself replies to first. It ends where a message was deleted or can't be read, is in
 * another channel, or is a question of this channel, which the conversation has already. Stops when the signal fires. Never throws.
 */
export async function readReplyChain(
  ports: ChannelPorts,
  { channelId, repliedTo }: GatewayMessage,
  signal: AbortSignal,
): Promise<QuotedMessage[]> {
  const chain: QuotedMessage[] = [];
  const read = async (messageId: string) =>
    chainedMessage(await readAsBot(ports, `/channels/${channelId}/messages/${messageId}`, signal));
  for (let next: RepliedTo | null = repliedTo; next && chain.length < MAX_REPLY_HOPS; ) {
    if (next.channelId !== channelId || next.message === "deleted") break;
    if (next.message !== "unread") {
      chain.push(next.message);
      const further: QuotedMessage["repliesTo"] = next.message.repliesTo;
      next = further && !ports.store.turn(further.messageId) ? { ...further, message: "unread" } : null;
      continue;
    }
    const message = await read(next.messageId);
    if (!message) break;
    chain.push(message.quoted);
    const further: RepliedTo | null = message.repliedTo;
    next = further && !ports.store.turn(further.messageId) ? further : null;
  }
  return chain;
}

// The messages that a question replies to, one after the other: read from Discord as far as the question does not bring them along.
import { MAX_REPLY_HOPS } from "../../src/core/limits.ts";
import { chainedMessage } from "../../src/discord/gateway/message-json.ts";
import type { GatewayMessage, QuotedMessage } from "../../src/gateway/message.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { readAsBot } from "./hearing.ts";

/**
 * Reads the chain, the message that the question itself replies to first. It ends where a message was deleted or can't be read, is in
 * another channel, or is a question of this channel, which the conversation has already; and after the first one where its author wants to be
 * left out. Stops when the signal fires. Never throws.
 */
export async function readReplyChain(
  ports: ChannelPorts,
  { channelId, repliedTo }: GatewayMessage,
  isLeftOut: (userId: string) => boolean,
  signal: AbortSignal,
): Promise<QuotedMessage[]> {
  const chain: QuotedMessage[] = [];
  for (let next = repliedTo; next?.channelId === channelId && chain.length < MAX_REPLY_HOPS; ) {
    const { messageId, message } = next;
    if (message === "deleted" || (chain[0] && ports.store.turn(messageId))) break;
    const read: ReturnType<typeof chainedMessage> =
      message === "unread"
        ? chainedMessage(await readAsBot(ports, `/channels/${channelId}/messages/${messageId}`, signal))
        : { quoted: message, repliedTo: message.repliesTo ? { ...message.repliesTo, message: "unread" } : null };
    if (!read || (chain[0] && isLeftOut(read.quoted.authorId ?? ""))) break;
    chain.push(read.quoted);
    next = read.repliedTo;
  }
  return chain;
}

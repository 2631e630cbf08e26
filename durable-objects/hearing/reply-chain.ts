// Reads the messages that a question replies to, one after the other: from Discord, unless the question brings them along.
import { MAX_REPLY_HOPS } from "../../src/core/limits.ts";
import { chainedMessage } from "../../src/discord/gateway/message-json.ts";
import type { GatewayMessage, QuotedMessage } from "../../src/gateway/message.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { readAsBot } from "./hearing.ts";

/**
 * Reads the chain, beginning with the message that the question replies to directly. It ends before a message that was deleted, can't be read,
 * or is in another channel. After the first message it also ends before one that the conversation has already, as this channel's question, and
 * before one whose author wants to be left out. Stops when the signal fires. Never throws.
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

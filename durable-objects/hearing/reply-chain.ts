// The messages that a question replies to, one after the other: read from Discord as far as the question does not bring them along.
import { MAX_REPLY_HOPS } from "../../src/core/limits.ts";
import { gatewayMessage } from "../../src/discord/gateway/message-json.ts";
import type { GatewayMessage, QuotedMessage, RepliedTo } from "../../src/gateway/message.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { readAsBot } from "./hearing.ts";

/**
 * Reads the chain, the message that the question itself replies to first. It ends where a message was deleted or can't be read, is in
 * another channel, or is a question of this channel, which the conversation has already. Stops when the signal fires. Never throws.
 */
export async function readReplyChain(
  ports: ChannelPorts,
  { channelId, place, repliedTo }: GatewayMessage,
  signal: AbortSignal,
): Promise<QuotedMessage[]> {
  const chain: QuotedMessage[] = [];
  const read = async (messageId: string): Promise<GatewayMessage | null> =>
    gatewayMessage(await readAsBot(ports, `/channels/${channelId}/messages/${messageId}`, signal), place);
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
    chain.push(asQuote(message));
    const further: RepliedTo | null = message.repliedTo;
    next = further && !ports.store.turn(further.messageId) ? further : null;
  }
  return chain;
}

const asQuote = ({ author, text, attachments, forwarded }: GatewayMessage): QuotedMessage => ({
  authorId: author.id,
  applicationId: null,
  authorName: author.name,
  text: text === "" ? (forwarded?.text ?? "") : text,
  attachments: attachments.length === 0 ? (forwarded?.attachments ?? []) : attachments,
});

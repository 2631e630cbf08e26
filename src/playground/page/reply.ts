// A reply that is being written: to which message, and whether it notifies that message's author. Builds no DOM.
import { type Named, nameMentions } from "./mentions.ts";
import type { LocalMessage } from "./shapes.ts";
import { speakStamps } from "./spoken-time.ts";

/** The message that the next one answers. `ping` is null where there is nobody to notify: oneself. */
export type Reply = { messageId: string; author: LocalMessage["author"]; snippet: string; ping: boolean | null };

/** True if Discord's client would let a person reply: not to what only they see, and not to Discord's own lines. */
export const canReplyTo = ({ ephemeral, failed, deed, loading }: LocalMessage): boolean =>
  !ephemeral && !loading && failed === undefined && deed === undefined;

/** Begins a reply, with the ping on. */
export const replyTo = (message: LocalMessage, as: string, known: readonly Named[]): Reply => ({
  messageId: message.id,
  author: message.author,
  snippet: snippet(message, known),
  ping: message.author.id === as ? null : true,
});

/** The reply with its ping switched on or off. */
export const switchPing = (reply: Reply): Reply => ({ ...reply, ping: reply.ping === null ? null : !reply.ping });

/** The reply while its message is there; null after it was deleted. */
export const keepReply = (reply: Reply | null, messages: readonly LocalMessage[]): Reply | null =>
  reply && messages.some(({ id }) => id === reply.messageId) ? reply : null;

/** What a reply adds to a message that is sent; nothing without one. */
export const replyFields = (reply: Reply | null): { replyTo?: string; ping?: boolean } =>
  reply ? { replyTo: reply.messageId, ping: reply.ping ?? false } : {};

const MOST = 160;
/** Stands for a spoiler, which the line above a reply must not give away. */
const HIDDEN = "▇▇▇";

/** A message in one line without marks, as above a reply. `known`: the people and the channels that it may name. */
export function snippet({ content }: Pick<LocalMessage, "content">, known: readonly Named[]): string {
  const plain = speakStamps(nameMentions(content, known))
    .replace(/(?<!\\)(?:```[\w+#.-]*\n?|`)/g, "")
    .replace(/^(?:-# |#{1,3} |>>> ?|> )/gm, "")
    .replace(/(?<!\\)\|\|[\s\S]+?\|\|/g, HIDDEN)
    .replace(/\[([^\]\n]+)\]\(<?https?:\/\/[^\s()]+\)/g, "$1")
    .replace(/\\([^A-Za-z0-9\s])|\*\*|__|~~/g, (_, sign = "") => sign)
    .replace(/\s+/g, " ")
    .trim();
  const letters = [...plain];
  return letters.length > MOST ? `${letters.slice(0, MOST).join("")}…` : plain;
}

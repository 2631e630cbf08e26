// A reply that is being written: which message it answers, and whether it notifies that message's author. Builds no DOM.
import { type Named, nameMentions } from "./mentions.ts";
import type { LocalMessage } from "./shapes.ts";
import { speakStamps } from "./spoken-time.ts";

/** The message that the next one replies to. `ping` is null for a reply to oneself, where there is nobody to notify. */
export type Reply = { messageId: string; author: LocalMessage["author"]; snippet: string; ping: boolean | null };

/** Whether Discord's client would let a person reply: not to a message that only they see, and not to Discord's own lines. */
export const canReplyTo = ({ ephemeral, failed, deed, loading }: LocalMessage): boolean =>
  !ephemeral && !loading && failed === undefined && deed === undefined;

/** Begins a reply, with the ping on. */
export const replyTo = (message: LocalMessage, as: string, known: readonly Named[]): Reply => ({
  messageId: message.id,
  author: message.author,
  snippet: snippet(message, known),
  ping: message.author.id === as ? null : true,
});

/** Returns the reply with its ping switched on or off. */
export const switchPing = (reply: Reply): Reply => ({ ...reply, ping: reply.ping === null ? null : !reply.ping });

/** Returns the reply while its message exists; null after it was deleted. */
export const keepReply = (reply: Reply | null, messages: readonly LocalMessage[]): Reply | null =>
  reply && messages.some(({ id }) => id === reply.messageId) ? reply : null;

/** Returns the fields that a reply adds to a sent message. */
export const replyFields = (reply: Reply | null): { replyTo?: string; ping?: boolean } =>
  reply ? { replyTo: reply.messageId, ping: reply.ping ?? false } : {};

const MOST = 160;
/** Replaces a spoiler, which the line above a reply must not reveal. */
const HIDDEN = "▇▇▇";

/** Shortens a message to one line without Markdown, as shown above a reply. `known`: the people and channels whose names it can use. */
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

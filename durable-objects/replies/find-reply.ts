// Looks in a channel for the first message of a reply (to a message, in a thread of its own, or of a reminder) when its creation was never
// confirmed. Discord would treat a repeated create as a new message: from the bot after some minutes, from a webhook at once.
import { reminderLine } from "../../src/core/copy/notices.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { ChannelLine } from "../../src/core/transcript/overheard.ts";
import type { FoundMessage } from "../../src/discord/delivery/reply-route.ts";
import { botRequest, lacksToken } from "../../src/discord/rest/bot-request.ts";
import { readChannelLines } from "../../src/discord/rest/channel-lines.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** The most messages that Discord returns in one request. */
const MOST = 100;
/** No two messages begin with this many equal characters by chance. Beyond them, links and names may be written differently. */
const ALIKE_CHARS = 99;

/**
 * What is looked for. `since`: the id of the question, or of the thread if the answer replies to nothing; empty for a reminder. `link`: what a
 * webhook's message begins with.
 */
export interface Sought {
  since: string;
  link: string;
  isThread: boolean;
  byWebhook: boolean;
  /** What the message should show. */
  content?: string | null;
}

/**
 * Finds the message that replies to the question, that our webhook posted with `link` at its beginning, that is the first answer in the thread, or
 * that contains the reminder's line. Never throws.
 */
export async function findReply(
  { discord, store, config }: Pick<ChannelPorts, "discord" | "store" | "config">,
  { channelId, reminder, userId, receivedAt }: Pick<TurnRequest, "channelId" | "reminder" | "userId" | "receivedAt">,
  { since, link, isThread, byWebhook, content }: Sought,
): Promise<FoundMessage> {
  const { signal } = new AbortController();
  // Includes the question itself, or an older message. Where the bot may not read the channel's history, Discord answers with an empty list
  // (resources/message), and this tells the two apart.
  const after = reminder ? "" : `&after=${BigInt(since) - 1n}`;
  const path = `/channels/${channelId}/messages?limit=${MOST}${after}`;
  const answer = await botRequest(discord, channelId, { method: "GET", kind: "list", path, signal });
  if (!answer.ok) return answer.retryable || lacksToken(answer) ? "later" : "unknown";
  const lines = readChannelLines(answer.json, config.discord);
  const known = knownMessages(store);
  // Without the Message Content intent, a webhook's message may come without its text: then it is the one that no turn knows.
  const isSpoken = ({ id, authorId, text }: ChannelLine) =>
    authorId !== config.discord.userId && (text === "" ? !known.has(id) : text.startsWith(link));
  const isOpening = ({ id, authorId, repliesTo, isLoading }: ChannelLine) =>
    byWebhook === (authorId !== config.discord.userId) && !repliesTo && !isLoading && !known.has(id);
  // The reminder's own text is left out, because its links may be shown differently.
  const begun = reminder && reminderLine({ ...reminder, text: "" }, userId);
  const isReply = (line: ChannelLine) => {
    // The reminder's line is at the end of the last message. If there are several, the first one is full and doesn't change any more.
    const hasItsWords = line.text.slice(0, ALIKE_CHARS) === content?.slice(0, ALIKE_CHARS);
    if (begun) return !known.has(line.id) && (hasItsWords || line.text.includes(begun));
    if (isThread) return line.isSaid && isOpening(line);
    return byWebhook ? isSpoken(line) : line.repliesTo === since;
  };
  const own = lines?.find((line) => line.isOurs && isReply(line));
  if (own) return { id: own.id, ephemeral: false };
  if (reminder) return lines?.some(({ at }) => at < receivedAt) ? "none" : "unknown";
  const isAll = Array.isArray(answer.json) && answer.json.length < MOST;
  // In a thread the oldest message is Discord's own line about the message that it began with.
  return isAll && lines?.some(({ id, isSaid }) => id === since || (isThread && !isSaid)) ? "none" : "unknown";
}

/** Returns the ids of the messages of the channel's recent turns. */
const knownMessages = (store: ChannelPorts["store"]) =>
  new Set(store.recentTurns(MOST, { userId: "", moderator: true }).flatMap(({ parts }) => parts.map(({ id }) => id)));

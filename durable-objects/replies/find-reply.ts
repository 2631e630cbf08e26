// Looks in a channel for the first message of an answer to a message, of one in a thread of its own, or of a reminder, where nobody knows
// whether its creation had an effect. No answer came, and Discord would take a repetition for another message: of the bot after some
// minutes, of a webhook at once.
import { reminderLine } from "../../src/core/copy/notices.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { ChannelLine } from "../../src/core/transcript/overheard.ts";
import type { FoundMessage } from "../../src/discord/delivery/reply-route.ts";
import { botRequest, lacksToken } from "../../src/discord/rest/bot-request.ts";
import { readChannelLines } from "../../src/discord/rest/channel-lines.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** The most messages since the question that Discord gives at once. */
const MOST = 100;
/** No two messages begin with so many equal characters by chance; further on, links and names may be written otherwise. */
const ALIKE_CHARS = 99;

/**
 * What is looked for. `since`: the question, or the thread of an answer that points to nothing; empty for a reminder. `link`: a webhook's
 * message begins with it.
 */
export interface Sought {
  since: string;
  link: string;
  isThread: boolean;
  byWebhook: boolean;
  /** What the message is to show. */
  content?: string | null;
}

/**
 * Finds the message that replies to the question, that a webhook of ours has begun with `link`, that began the thread, or that has the
 * reminder's line. Never throws.
 */
export async function findReply(
  { discord, store, config }: Pick<ChannelPorts, "discord" | "store" | "config">,
  { channelId, reminder, userId, receivedAt }: Pick<TurnRequest, "channelId" | "reminder" | "userId" | "receivedAt">,
  { since, link, isThread, byWebhook, content }: Sought,
): Promise<FoundMessage> {
  const { signal } = new AbortController();
  // With the question itself, or an older message: where the bot may not read the channel's history, Discord says that there is nothing
  // (resources/message).
  const after = reminder ? "" : `&after=${BigInt(since) - 1n}`;
  const path = `/channels/${channelId}/messages?limit=${MOST}${after}`;
  const answer = await botRequest(discord, channelId, { method: "GET", kind: "list", path, signal });
  if (!answer.ok) return answer.retryable || lacksToken(answer) ? "later" : "unknown";
  const lines = readChannelLines(answer.json, config.discord);
  const known = knownMessages(store);
  // Without the Message Content intent, what a webhook has posted may come without its words: then it is the one that no turn knows.
  const isSpoken = ({ id, authorId, text }: ChannelLine) =>
    authorId !== config.discord.userId && (text === "" ? !known.has(id) : text.startsWith(link));
  const isOpening = ({ id, authorId, repliesTo, isLoading }: ChannelLine) =>
    byWebhook === (authorId !== config.discord.userId) && !repliesTo && !isLoading && !known.has(id);
  // Its text may be sent in other words, because of links.
  const begun = reminder && reminderLine({ ...reminder, text: "" }, userId);
  const isReply = (line: ChannelLine) => {
    // The line is below the last message: a first one of several is full, and does not change any more.
    const hasItsWords = line.text.slice(0, ALIKE_CHARS) === content?.slice(0, ALIKE_CHARS);
    if (begun) return !known.has(line.id) && (hasItsWords || line.text.includes(begun));
    if (isThread) return line.isSaid && isOpening(line);
    return byWebhook ? isSpoken(line) : line.repliesTo === since;
  };
  const own = lines?.find((line) => line.isOurs && isReply(line));
  if (own) return { id: own.id, ephemeral: false };
  if (reminder) return lines?.some(({ at }) => at < receivedAt) ? "none" : "unknown";
  const isAll = Array.isArray(answer.json) && answer.json.length < MOST;
  // A thread has Discord's own line about the message that it began with.
  return isAll && lines?.some(({ id, isSaid }) => id === since || (isThread && !isSaid)) ? "none" : "unknown";
}

/** The messages of the turns in the channel's recent past. */
const knownMessages = (store: ChannelPorts["store"]) =>
  new Set(store.recentTurns(MOST, { userId: "", moderator: true }).flatMap(({ parts }) => parts.map(({ id }) => id)));

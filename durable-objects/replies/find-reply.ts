// Looks in a channel for the first message of an answer to a message, or of one in a thread of its own, where nobody knows whether its
// creation had an effect. No answer came, and Discord would take a repetition for another message: of the bot after some minutes, of a
// webhook at once.
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { ChannelLine } from "../../src/core/transcript/overheard.ts";
import type { FoundMessage } from "../../src/discord/delivery/reply-route.ts";
import { botRequest } from "../../src/discord/rest/bot-request.ts";
import { readChannelLines } from "../../src/discord/rest/channel-lines.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** The most messages since the question that Discord gives at once. */
const MOST = 100;

/** What is looked for. `since`: the question, or the thread of an answer that points to nothing. `link`: a webhook's message begins with it. */
export interface Sought {
  since: string;
  link: string;
  isThread: boolean;
  byWebhook: boolean;
}

/** Finds the message that replies to the question, that a webhook of ours has begun with `link`, or that began the thread. Never throws. */
export async function findReply(
  { discord, store, config }: Pick<ChannelPorts, "discord" | "store" | "config">,
  { channelId }: Pick<TurnRequest, "channelId">,
  { since, link, isThread, byWebhook }: Sought,
): Promise<FoundMessage> {
  const { signal } = new AbortController();
  // With the question itself: where the bot may not read the channel's history, Discord says that there is nothing (resources/message).
  const path = `/channels/${channelId}/messages?limit=${MOST}&after=${BigInt(since) - 1n}`;
  const answer = await botRequest(discord, channelId, { method: "GET", kind: "list", path, signal });
  if (!answer.ok) return answer.retryable ? "later" : "unknown";
  const lines = readChannelLines(answer.json, config.discord);
  const known = knownMessages(store);
  // Without the Message Content intent, what a webhook has posted may come without its words: then it is the one that no turn knows.
  const isSpoken = ({ id, authorId, text }: ChannelLine) =>
    authorId !== config.discord.userId && (text === "" ? !known.has(id) : text.startsWith(link));
  const isOpening = ({ id, authorId, repliesTo, isLoading }: ChannelLine) =>
    byWebhook === (authorId !== config.discord.userId) && !repliesTo && !isLoading && !known.has(id);
  const isReply = (line: ChannelLine) => {
    if (isThread) return line.isSaid && isOpening(line);
    return byWebhook ? isSpoken(line) : line.repliesTo === since;
  };
  const own = lines?.find((line) => line.isOurs && isReply(line));
  if (own) return { id: own.id, ephemeral: false };
  const isAll = Array.isArray(answer.json) && answer.json.length < MOST;
  // A thread has Discord's own line about the message that it began with.
  return isAll && lines?.some(({ id, isSaid }) => id === since || (isThread && !isSaid)) ? "none" : "unknown";
}

/** The messages of the turns in the channel's recent past. */
const knownMessages = (store: ChannelPorts["store"]) =>
  new Set(store.recentTurns(MOST, { userId: "", moderator: true }).flatMap(({ parts }) => parts.map(({ id }) => id)));

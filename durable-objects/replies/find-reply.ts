// Looks in a channel for the first message of an answer to a message, where nobody knows whether its creation had an effect. No answer
// came, and Discord would take a repetition for another message: of the bot after some minutes, of a webhook at once.
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { ChannelLine } from "../../src/core/transcript/overheard.ts";
import type { FoundMessage } from "../../src/discord/delivery/reply-route.ts";
import { botRequest } from "../../src/discord/rest/bot-request.ts";
import { readChannelLines } from "../../src/discord/rest/channel-lines.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** Of what was said since the question, Discord gives so much at once. */
const MOST = 100;

/** Finds the message that replies to the question, or that a webhook of ours has begun with `link`. Never throws. */
export async function findReply(
  {
    discord,
    rateLimiter,
    clock,
    store,
    config,
  }: Pick<ChannelPorts, "discord" | "rateLimiter" | "clock" | "store" | "config">,
  { channelId }: Pick<TurnRequest, "channelId">,
  { question: questionId, link }: { question: string; link: string },
): Promise<FoundMessage> {
  const { signal } = new AbortController();
  // With the question itself: where the bot may not read the channel's history, Discord says that there is nothing (resources/message).
  const path = `/channels/${channelId}/messages?limit=${MOST}&after=${BigInt(questionId) - 1n}`;
  const answer = await botRequest({ ...discord, rateLimiter, clock }, channelId, {
    method: "GET",
    kind: "list",
    path,
    signal,
  });
  if (!answer.ok) return answer.retryable ? "later" : "unknown";
  const lines = readChannelLines(answer.json, config.discord);
  // Without the Message Content intent, what a webhook has posted may come without its words: then it is the one that no turn knows.
  const isSpoken = ({ id, authorId, text }: ChannelLine) =>
    authorId !== config.discord.userId && (text === "" ? !isKnown(store, id) : text.startsWith(link));
  const isReply = (line: ChannelLine) => (link === "" ? line.repliesTo === questionId : isSpoken(line));
  const own = lines?.find((line) => line.isOurs && isReply(line));
  if (own) return { id: own.id, ephemeral: false };
  const isAll = Array.isArray(answer.json) && answer.json.length < MOST;
  return isAll && lines?.some(({ id }) => id === questionId) ? "none" : "unknown";
}

/** A message of a turn in the channel's recent past. */
const isKnown = (store: ChannelPorts["store"], messageId: string): boolean =>
  store
    .recentTurns(MOST, { userId: "", moderator: true })
    .some(({ parts }) => parts.some(({ id }) => id === messageId));

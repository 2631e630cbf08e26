// Looks in a channel for the bot's reply to a question, where nobody knows whether its creation had an effect: no answer came, and Discord
// would take a repetition for another message by now.
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { FoundMessage } from "../../src/discord/delivery/reply-route.ts";
import { botRequest } from "../../src/discord/rest/bot-request.ts";
import { readChannelLines } from "../../src/discord/rest/channel-lines.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** Of what was said since the question, Discord gives so much at once. */
const MOST = 100;

/** Finds the message that replies to the question. Never throws. */
export async function findReply(
  { discord, rateLimiter, clock }: Pick<ChannelPorts, "discord" | "rateLimiter" | "clock">,
  { channelId, applicationId }: Pick<TurnRequest, "channelId" | "applicationId">,
  questionId: string,
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
  const lines = readChannelLines(answer.json, applicationId);
  const own = lines?.find((line) => line.isOurs && line.repliesTo === questionId);
  if (own) return { id: own.id, ephemeral: false };
  const isAll = Array.isArray(answer.json) && answer.json.length < MOST;
  return isAll && lines?.some(({ id }) => id === questionId) ? "none" : "unknown";
}

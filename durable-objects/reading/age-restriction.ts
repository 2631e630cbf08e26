// Reads whether only adults can read a thread: Discord restricts its channel, and a command in the thread doesn't say so.
import { OVERHEARD_LIMIT_MS } from "../../src/core/limits.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import type { Channel } from "../live-channel.ts";

/**
 * Returns the turn with the restriction of its thread's channel. For a question by message it was read before, and a question for which a
 * thread was opened brings it along. Without an answer from Discord in 1.5 s there counts as none: the model then writes nothing for adults.
 * Never rejects, and may run again.
 */
export async function withRestriction(
  { ports, hearing }: Channel,
  turn: TurnRecord,
  signal: AbortSignal,
): Promise<TurnRecord> {
  const { request } = turn;
  const { ageRestricted, parentChannelId = "", messageId, beginsThread, botIsHere } = request;
  // The bot can't read the channels where only visitors use it.
  if (ageRestricted !== false || messageId !== undefined || beginsThread || !botIsHere) return turn;
  const read = (inTime: AbortSignal) => hearing.facts.channel(parentChannelId, inTime);
  const facts = await withinLimit(ports.timers, OVERHEARD_LIMIT_MS, signal, read).catch(() => null);
  return facts?.isAgeRestricted ? { ...turn, request: { ...request, ageRestricted: true } } : turn;
}

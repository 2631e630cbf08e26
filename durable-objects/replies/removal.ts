// Deletes the messages of a reply that Discord has, each in whichever way reaches it: by the bot's token, by a token that this life still
// knows, or by that of a click on the message itself.
import { ACKNOWLEDGEMENT_RACE_MS, NONCE_LIFE_MS } from "../../src/core/limits.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { type Endpoint, isByBot, ORIGINAL } from "../../src/discord/rest/rest.ts";
import { decideSendFailure } from "../../src/discord/rest/send-failure.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { isTokenAlive } from "./posted-reply.ts";
import { findBotEndpoint } from "./turn-pump.ts";
import { decideFirstEndpoint } from "./voice.ts";

interface Way {
  endpoint: Endpoint;
  id: string;
}

/** The wait after a try without an answer. */
const RETRY_MS = 1000;

/**
 * Deletes every message of a finished reply, and the one that pinged its asker. Returns how many stay, or may: one whose creation has an
 * unknown outcome can't be found. Repeating it is harmless.
 */
export async function removeReply(ports: ChannelPorts, turn: TurnRecord): Promise<number> {
  const until = ports.clock() + NONCE_LIFE_MS;
  let left = turn.parts.filter(({ id }) => id === null).length;
  // The newest first: what is left of an answer reads from its beginning.
  for (const ways of waysToMessages(ports, turn).reverse()) {
    let isGone = false;
    for (const way of ways) isGone ||= await isRemoved(ports, way, until);
    if (!isGone) left++;
  }
  return left;
}

/** For each message the ways to delete it, the best one first. */
function waysToMessages(ports: ChannelPorts, turn: TurnRecord): Way[][] {
  const { request, parts, ping, removal } = turn;
  const bot = transcriptOwner(request) === null ? findBotEndpoint(ports, request) : null;
  const first = isTokenAlive(ports, turn) ? decideFirstEndpoint(turn) : null;
  const token = first && !isByBot(first) ? first : null;
  const known = parts.flatMap(({ id, frozen }, index) => (id === null ? [] : [{ id, frozen, isFirst: index === 0 }]));
  const ways = known.map(({ id, frozen, isFirst }): Way[] => [
    ...(bot ? [{ endpoint: bot, id }] : []),
    ...(token && !frozen ? [{ endpoint: token, id: isFirst ? ORIGINAL : id }] : []),
    ...(removal?.messageId === id ? [{ endpoint: removal, id: ORIGINAL }] : []),
  ]);
  return ping?.id != null && bot ? [...ways, [{ endpoint: bot, id: ping.id }]] : ways;
}

/** Tries for a while. True when the message is not there any more. */
async function isRemoved(
  { rest, clock, timers }: ChannelPorts,
  { endpoint, id }: Way,
  until: number,
): Promise<boolean> {
  const racesUntil = clock() + ACKNOWLEDGEMENT_RACE_MS;
  for (;;) {
    const result = await rest.remove(endpoint, id);
    if (result.ok) return true;
    const failure = decideSendFailure(result);
    if (failure === "message_gone") return true;
    const isRace = failure === "webhook_unknown" && clock() < racesUntil;
    const mayRetry = isRace || failure === "unknown_outcome" || failure === "limited";
    if (!mayRetry || clock() >= until) return false;
    await new Promise<void>((resolve) => timers.after(RETRY_MS, resolve));
  }
}

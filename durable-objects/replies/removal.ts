// Deletes the messages of a reply. Each is deleted in whichever way reaches it: by its persona's webhook, by the bot's token, by
// a token that this life still knows, or by the token of a click on the message itself.
import { NONCE_LIFE_MS } from "../../src/core/limits.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { isByBot, ORIGINAL } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { isTokenAlive } from "./find-late.ts";
import { type Way, waysToHeader } from "./header-way.ts";
import { withVoice } from "./posted-reply.ts";
import { retried } from "./retried.ts";
import { findBotEndpoint } from "./turn-pump.ts";
import { decideFirstEndpoint } from "./voice.ts";

/**
 * Deletes every message of a finished reply, and the one that pinged its asker. Returns how many stay, or may stay: a message whose creation has
 * an unknown outcome can't be found. May run twice.
 */
export async function removeReply(ports: ChannelPorts, turn: TurnRecord): Promise<number> {
  const until = ports.clock() + NONCE_LIFE_MS;
  const lost = turn.parts.filter(({ id }) => id === null).length;
  // The click came from one of the lost messages, unless there is a header above the answer, from which it may have come.
  const isFound = lost > 0 && !turn.request.scene && isUnheardOf(turn);
  let left = lost - Number(isFound);
  // The newest first, so that whatever is left of an answer is its beginning.
  for (const ways of (await waysToMessages(ports, turn)).reverse()) {
    let isGone = false;
    for (const way of ways) isGone ||= await isRemoved(ports, way, until, turn.removal);
    if (!isGone) left++;
  }
  return left;
}

/** Returns the ways to delete each message, the best one first. */
async function waysToMessages(ports: ChannelPorts, turn: TurnRecord): Promise<Way[][]> {
  const { request, parts, ping, removal } = turn;
  const voiced = await withVoice(ports, turn);
  const voice = voiced && decideFirstEndpoint(voiced);
  const bot = findBotEndpoint(ports, request);
  const first = isTokenAlive(ports, turn) ? decideFirstEndpoint(turn) : null;
  const token = first && !isByBot(first) ? first : null;
  const known = parts.flatMap(({ id, frozen }) => (id === null ? [] : [{ id, frozen }]));
  const ways = known.map(({ id, frozen }): Way[] => [
    // The bot itself may delete a webhook's message only where it manages messages (Discord).
    ...(voice && !frozen ? [{ endpoint: voice, id }] : []),
    ...(bot ? [{ endpoint: bot, id }] : []),
    ...(token && !frozen ? [{ endpoint: token, id }] : []),
    ...(removal?.messageId === id ? [{ endpoint: removal, id: ORIGINAL }] : []),
  ]);
  if (request.scene) ways.unshift(await waysToHeader(ports, turn, request.scene));
  // A message that was created although no life knows its id, or the header above the answer.
  if (removal && isUnheardOf(turn)) ways.push([{ endpoint: removal, id: ORIGINAL }]);
  return ping?.id != null && bot ? [...ways, [{ endpoint: bot, id: ping.id }]] : ways;
}

/** Whether Delete was clicked on a message that the turn doesn't know. */
const isUnheardOf = ({ removal, parts }: TurnRecord): boolean =>
  removal !== undefined && !parts.some(({ id }) => id === removal.messageId);

const UNKNOWN_MESSAGE = 10008;

/**
 * Tries until the given time to delete a message, and returns whether it is gone. (In an archived thread none can be deleted.) If the Worker
 * answered the click in private, because this object was slow, the click's token reaches only that private answer.
 */
async function isRemoved(
  ports: ChannelPorts,
  { endpoint, id }: Way,
  until: number,
  click: TurnRecord["removal"],
): Promise<boolean> {
  const found = endpoint === click ? await retried(ports, until, () => ports.rest.read(endpoint, id)) : null;
  if (found?.ok && found.message.id !== click?.messageId) return false;
  const result = await retried(ports, until, () => ports.rest.remove(endpoint, id));
  return result.ok || (result.kind === "refused" && result.code === UNKNOWN_MESSAGE);
}

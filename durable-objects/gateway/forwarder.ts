// Forwards one event to its channel's object, with what the owners' rules say about its author. The author is checked here, and not before
// the session decides about the message, because reading a copy of the scope takes time. A message that waits for a copy is an event under
// way like any other: it holds back the number that is stored as received, so it is not lost. Messages that are not questions need no copy.
import { isOwner, knownOwners, type Person } from "../../src/core/access/judge.ts";
import { noteOf, type ScopeCopy } from "../../src/core/access/scope-copy.ts";
import { channelOf, type ForwardedEvent, isLate } from "../../src/gateway/forwarded-event.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import type { GatewayPorts } from "./gateway-ports.ts";

/** `refused`: its author may not use the bot, and the channel was not asked. */
export type Forwarded = HeardReceipt | "refused" | "failed";

/** What the channel gets in addition to the event. */
export type Surroundings = Pick<HeardEvent, "self" | "ownRoleId" | "readsContent">;

/** Returns the author as the rules see them. The bot only hears servers that installed it. */
export function personOf({ author, place }: GatewayMessage): Person {
  const guildId = "guildId" in place ? place.guildId : null;
  return { userId: author.id, guildId, isServerInstall: guildId !== null };
}

/** Forwards one event. Never rejects. An edit or a deletion has no author, and comes only after a question that was let in. */
export async function forwardEvent(
  ports: Pick<GatewayPorts, "channel" | "gate" | "policy" | "clock" | "log">,
  event: ForwardedEvent,
  surroundings: Surroundings,
): Promise<Forwarded> {
  const { channel, gate, policy, clock, log } = ports;
  try {
    if (event.kind !== "asked") return await channel(channelOf(event)).hear({ event, ...surroundings });
    const { message } = event;
    const copy = await gate.hear(personOf(message), message.channelId, policy);
    if (typeof copy === "string") return copy;
    const { isPaused } = copy;
    const asker = { scope: noteOf(copy), ...ownership(message, ports, copy), isPaused };
    const late = isLate(message.id, clock()) && { isLate: true as const };
    return await channel(message.channelId).hear({ event, ...surroundings, ...asker, ...late });
  } catch (error) {
    log.error("a channel could not be reached", { key: channelOf(event), error: String(error) });
    return "failed";
  }
}

/** Returns whether the author owns the bot. Only direct messages need it, and only if the owners are known. */
function ownership(
  { place, author }: GatewayMessage,
  { policy }: Pick<GatewayPorts, "policy">,
  copy: ScopeCopy,
): { isOwner?: boolean } {
  if (place.kind !== "dm" || knownOwners(policy, copy).length === 0) return {};
  return { isOwner: isOwner(author.id, policy, copy) };
}

// Decides which session receives which event about a happening, and how much of it: by intents, shards, and the right to read the content of
// messages (docs: events/gateway, "Gateway Intents").
import { readsContent } from "../discord/bot-reading.ts";
import type { Happening } from "../discord/happening.ts";
import { canSee } from "../discord/permissions.ts";
import type { Channel } from "../discord/servers.ts";
import { placeJson, type Reader } from "../discord/wire.ts";
import type { Message, World } from "../discord/world.ts";
import { channelEvent, guildEvent, isThread, memberWithUser, messageEvent } from "./payloads.ts";
import { INTENTS } from "./protocol.ts";
import { dispatch } from "./sessions.ts";
import type { Session } from "./state.ts";

/** One event for one session. */
interface Event {
  t: string;
  d: unknown;
}

/** Sends the events to every session that may receive them. A session without a socket gets them when it resumes. */
export function publish(world: World, happening: Happening): void {
  for (const session of world.gateway.sessions.values()) {
    for (const event of eventsFor(world, session, happening)) dispatch(world.gateway, session, event.t, event.d);
  }
}

/** Whether the session's shard has this server. Anything outside servers belongs to the first shard. */
export const isForShard = ({ shard: [id, count] }: Session, guildId: string | undefined): boolean =>
  (guildId === undefined ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count))) === id;

/** Lists the events for one session: none if it may not receive them, and one per server if the bot's membership changed. */
function eventsFor(world: World, session: Session, happening: Happening): Event[] {
  switch (happening.kind) {
    case "message-created":
    case "message-edited":
    case "message-deleted":
      return messageEvents(world, session, happening.kind, happening.message);
    case "reaction-added":
    case "reaction-removed":
      return reactionEvents(world, session, happening);
    case "channel-created":
    case "channel-deleted":
      return channelEvents(world, session, happening);
    case "pins-changed": {
      const { channelId } = happening;
      const bits = { inGuild: INTENTS.guilds, direct: INTENTS.directMessages };
      if (!hears(world, session, world.channels.get(channelId), bits)) return [];
      const last_pin_timestamp = new Date(world.now()).toISOString();
      return [{ t: "CHANNEL_PINS_UPDATE", d: { ...placeJson(world, channelId), last_pin_timestamp } }];
    }
    case "typing":
      return typingEvents(world, session, happening);
    case "membership":
      return membershipEvents(world, session, happening.isMember);
    case "interaction":
      return isForShard(session, placeJson(world, happening.channelId).guild_id)
        ? [{ t: "INTERACTION_CREATE", d: happening.interaction }]
        : [];
    case "event":
      return [{ t: happening.t, d: happening.d }];
  }
}

/** The intents for the two kinds of channel. */
interface Bits {
  inGuild: number;
  direct: number;
}

/** Whether the session receives events of this channel: the application's direct messages, or a channel that it can see in one of its servers. */
function hears(world: World, session: Session, channel: Channel | undefined, bits: Bits): boolean {
  const { intents } = session;
  if (channel?.type === 1) return (intents & bits.direct) !== 0 && isForShard(session, undefined);
  if (!channel?.serverId || !world.options.botIsMember) return false;
  const isSeen = canSee(world, channel, world.applicationId);
  return (intents & bits.inGuild) !== 0 && isSeen && isForShard(session, channel.serverId);
}

const MESSAGE_EVENTS = {
  "message-created": "MESSAGE_CREATE",
  "message-edited": "MESSAGE_UPDATE",
  "message-deleted": "MESSAGE_DELETE",
} as const;

/** Ephemeral messages of the application arrive like direct messages; lines that only a client shows never arrive. */
function messageEvents(world: World, session: Session, kind: keyof typeof MESSAGE_EVENTS, message: Message): Event[] {
  const { channelId, addressee, failed, id } = message;
  const bits = { inGuild: INTENTS.guildMessages, direct: INTENTS.directMessages };
  const isHeard =
    addressee === null
      ? hears(world, session, world.channels.get(channelId), bits)
      : (session.intents & INTENTS.directMessages) !== 0 && isForShard(session, undefined);
  if (!isHeard || failed !== null) return [];
  const t = MESSAGE_EVENTS[kind];
  if (kind === "message-deleted")
    return [{ t, d: { id, channel_id: channelId, ...(addressee === null && placeJson(world, channelId)) } }];
  const hasIntent = (session.intents & INTENTS.messageContent) !== 0;
  const reads: Reader = (one) => hasIntent || readsContent(world, one);
  return [{ t, d: messageEvent(world, message, reads) }];
}

function reactionEvents(
  world: World,
  session: Session,
  { kind, message, emoji, by }: Extract<Happening, { kind: "reaction-added" | "reaction-removed" }>,
): Event[] {
  const { id, channelId, authorId } = message;
  const bits = { inGuild: INTENTS.guildReactions, direct: INTENTS.directReactions };
  if (!hears(world, session, world.channels.get(channelId), bits)) return [];
  const isNew = kind === "reaction-added";
  const d = {
    user_id: by,
    message_id: id,
    ...placeJson(world, channelId),
    ...(isNew && memberWithUser(world, channelId, by)),
    ...(isNew && { message_author_id: authorId }),
    emoji: { id: null, name: emoji },
    burst: false,
    type: 0,
  };
  return [{ t: isNew ? "MESSAGE_REACTION_ADD" : "MESSAGE_REACTION_REMOVE", d }];
}

/** Bots receive no event about new direct channels. */
function channelEvents(
  world: World,
  session: Session,
  { kind, channel }: Extract<Happening, { kind: "channel-created" | "channel-deleted" }>,
): Event[] {
  if (!hears(world, session, channel, { inGuild: INTENTS.guilds, direct: 0 })) return [];
  const json = channelEvent(world, channel);
  const name = isThread(channel) ? "THREAD" : "CHANNEL";
  if (kind === "channel-created")
    return [{ t: `${name}_CREATE`, d: { ...json, ...(isThread(channel) && { newly_created: true }) } }];
  const { id, guild_id, parent_id, type } = json;
  return [{ t: `${name}_DELETE`, d: isThread(channel) ? { id, guild_id, parent_id, type } : json }];
}

function typingEvents(
  world: World,
  session: Session,
  { channelId, by }: Extract<Happening, { kind: "typing" }>,
): Event[] {
  const bits = { inGuild: INTENTS.guildTyping, direct: INTENTS.directTyping };
  if (!hears(world, session, world.channels.get(channelId), bits)) return [];
  const timestamp = Math.floor(world.now() / 1000);
  const d = { user_id: by, timestamp, ...placeJson(world, channelId), ...memberWithUser(world, channelId, by) };
  return [{ t: "TYPING_START", d }];
}

function membershipEvents(world: World, session: Session, isMember: boolean): Event[] {
  if (!(session.intents & INTENTS.guilds)) return [];
  return [...world.servers.values()]
    .filter(({ id }) => isForShard(session, id))
    .map((server) =>
      isMember ? { t: "GUILD_CREATE", d: guildEvent(world, server) } : { t: "GUILD_DELETE", d: { id: server.id } },
    );
}

// The Gateway's own JSON (docs: events/gateway-events): servers, channels and members as events describe them, and the fields that it adds to
// a message. The message itself comes from wire.ts.
import { rolesJson } from "../discord/guild-routes.ts";
import type { Channel, Server } from "../discord/servers.ts";
import { iso, messageJson, placeJson, type Reader, userJson } from "../discord/wire.ts";
import type { Message, World } from "../discord/world.ts";
import { INTENTS } from "./protocol.ts";
import type { Session } from "./state.ts";

type Json = Record<string, unknown>;

const THREAD = 11;
const JOINED = "2026-01-05T10:00:00.000000+00:00";
const MAX_MEMBERS = 100;

/** Whether the channel is a thread, which has its own events. */
export const isThread = ({ type }: Channel): boolean => type === THREAD;

/** The member field that payloads have next to a user; absent in a direct message. */
function memberBeside(world: World, channelId: string, userId: string): { member?: Json } {
  const server = world.servers.get(placeJson(world, channelId).guild_id ?? "");
  const roles = server?.members.get(userId);
  return roles ? { member: memberOf(roles) } : {};
}

/** The member field with the user inside; absent in a direct message. */
export function memberWithUser(world: World, channelId: string, userId: string): { member?: Json } {
  const { member } = memberBeside(world, channelId, userId);
  return member ? { member: { ...member, user: userJson(world, userId) } } : {};
}

/** A member without computed permissions, which Discord doesn't send in events either. */
const memberOf = (roles: readonly string[]): Json => ({
  ...{ roles, nick: null, avatar: null, banner: null, joined_at: JOINED, premium_since: null },
  ...{ deaf: false, mute: false, pending: false, flags: 0, communication_disabled_until: null },
});

/** Builds a message as in MESSAGE_CREATE and MESSAGE_UPDATE. An ephemeral message comes without its server. */
export function messageEvent(world: World, message: Message, reads: Reader): Json {
  const { channelId, authorId, webhook, addressee, mentions } = message;
  const isOpen = addressee === null;
  return {
    ...messageJson(world, message, reads),
    ...(isOpen && placeJson(world, channelId)),
    ...(isOpen && !webhook && memberBeside(world, channelId, authorId)),
    channel_type: world.channels.get(channelId)?.type ?? 0,
    mentions: mentions.users.map((id) => ({
      ...userJson(world, id),
      ...(isOpen && memberBeside(world, channelId, id)),
    })),
  };
}

/** Builds the JSON of a server's channel or thread. */
export function channelEvent(world: World, channel: Channel): Json {
  const { id, name, type, serverId, parentId = null, overwrites = [] } = channel;
  const last = [...world.messages.values()].findLast(({ channelId }) => channelId === id)?.id ?? null;
  const common = { id, name, type, guild_id: serverId, parent_id: parentId, last_message_id: last, flags: 0 };
  if (!isThread(channel))
    return {
      ...{ ...common, position: 0, topic: null, nsfw: false, rate_limit_per_user: 0 },
      permission_overwrites: overwrites.map((one) => ({ ...one, allow: `${one.allow}`, deny: `${one.deny}` })),
    };
  return {
    ...{ ...common, owner_id: world.applicationId, message_count: 0, total_message_sent: 0, member_count: 1 },
    rate_limit_per_user: 0,
    thread_metadata: { archived: false, auto_archive_duration: 1440, locked: false, archive_timestamp: iso(0) },
  };
}

/** Builds the JSON of a server with its channels. As without GUILD_PRESENCES, the application is the only listed member. */
export function guildEvent(world: World, server: Server): Json {
  const { id, name, ownerId, members } = server;
  const channels = [...world.channels.values()].filter(({ serverId }) => serverId === id);
  const application = memberOf(members.get(world.applicationId) ?? []);
  return {
    ...{ id, name, owner_id: ownerId, icon: null, splash: null, discovery_splash: null, banner: null },
    ...{ afk_channel_id: null, afk_timeout: 300, verification_level: 0, explicit_content_filter: 0, mfa_level: 0 },
    ...{ default_message_notifications: 0, application_id: null, system_channel_id: null, system_channel_flags: 0 },
    ...{ rules_channel_id: null, public_updates_channel_id: null, safety_alerts_channel_id: null },
    ...{ vanity_url_code: null, description: null, nsfw_level: 0, preferred_locale: "en-US" },
    ...{ premium_tier: 0, premium_progress_bar_enabled: false, features: [], emojis: [], stickers: [] },
    ...{ region: "us-east", home_header: null, widget_enabled: false, widget_channel_id: null, nsfw: false },
    ...{ max_presences: null, max_members: 500_000, max_video_channel_users: 25, max_stage_video_channel_users: 50 },
    ...{ premium_subscription_count: 0, incidents_data: null },
    ...{ joined_at: JOINED, large: false, unavailable: false, member_count: members.size },
    ...{ voice_states: [], presences: [], stage_instances: [], guild_scheduled_events: [], soundboard_sounds: [] },
    roles: rolesJson(world, server),
    members: [{ ...application, user: userJson(world, world.applicationId) }],
    channels: channels.filter((one) => !isThread(one)).map((one) => channelEvent(world, one)),
    threads: channels.filter(isThread).map((one) => channelEvent(world, one)),
  };
}

/** The data of op 8. */
export interface MembersRequest {
  guild_id: string;
  query?: unknown;
  limit?: unknown;
  user_ids?: unknown;
  nonce?: unknown;
  [field: string]: unknown;
}

/** Builds the members that op 8 asked for, by id or by the beginning of a name. The whole list needs GUILD_MEMBERS, which is off here. */
export function membersChunk(world: World, session: Session, { guild_id, ...request }: MembersRequest): Json {
  const members = world.options.botIsMember ? world.servers.get(guild_id)?.members : undefined;
  const known = [...world.people.values()].filter(({ id }) => members?.has(id));
  const wanted = request.user_ids === undefined ? null : [request.user_ids].flat().map(String);
  const query = typeof request.query === "string" ? request.query.toLowerCase() : "";
  const mayListAll = query !== "" || (session.intents & INTENTS.guildMembers) !== 0;
  const limit = Math.min(Number(request.limit) || MAX_MEMBERS, MAX_MEMBERS);
  const found = wanted
    ? known.filter(({ id }) => wanted.includes(id))
    : known.filter(({ name }) => mayListAll && name.toLowerCase().startsWith(query));
  return {
    guild_id,
    members: found
      .slice(0, limit)
      .map(({ id }) => ({ ...memberOf(members?.get(id) ?? []), user: userJson(world, id) })),
    chunk_index: 0,
    chunk_count: 1,
    not_found: (wanted ?? []).filter((id) => !known.some((person) => person.id === id)),
    ...(typeof request.nonce === "string" && request.nonce.length <= 32 && { nonce: request.nonce }),
  };
}

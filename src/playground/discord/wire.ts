// Converts the world to Discord's JSON: users, members, channels, messages, attachments (docs: resources/*). Only in this direction.
import { BY_PROXY } from "./files.ts";
import { QUOTING } from "./message-types.ts";
import { computePermissions } from "./permissions.ts";
import { pollJson } from "./poll.ts";
import { FLAGS } from "./rules.ts";
import type { Channel, Person } from "./servers.ts";
import { type Attachment, findPerson, type Interaction, type Message, type Reaction, type World } from "./world.ts";

/** The application's name. */
export const BOT_NAME = "Parley";

/** Discord's default limit of one file, in bytes. */
export const ATTACHMENT_SIZE_LIMIT = 10 * 1024 * 1024;

/** Formats a time as Discord does. */
export const iso = (at: number): string => new Date(at).toISOString().replace("Z", "000+00:00");

/** Builds a user object: a person's, or the application's own bot user. */
export function userJson(world: World, id: string): Record<string, unknown> {
  const isBot = id === world.applicationId;
  const name = isBot ? BOT_NAME : findPerson(world, id).name;
  return {
    id,
    username: isBot ? name : name.toLowerCase().replaceAll(" ", "."),
    global_name: isBot ? null : name,
    discriminator: isBot ? "0001" : "0",
    avatar: null,
    public_flags: 0,
    flags: 0,
    primary_guild: null,
    ...(isBot && { bot: true }),
  };
}

/** Builds a server member with the permissions that Discord computed for the interaction's channel. */
export function memberJson(world: World, person: Person, channel: Channel): Record<string, unknown> {
  return {
    user: userJson(world, person.id),
    nick: null,
    avatar: null,
    roles: world.servers.get(channel.serverId ?? "")?.members.get(person.id) ?? [],
    joined_at: "2026-01-05T10:00:00.000000+00:00",
    premium_since: null,
    deaf: false,
    mute: false,
    pending: false,
    flags: 0,
    permissions: String(computePermissions(world, channel, person.id)),
  };
}

/** Builds the partial channel of an interaction: a thread has its parent, a DM its recipient, a group DM its other members. */
export function channelJson(world: World, channel: Channel, person: Person): Record<string, unknown> {
  if (channel.type === 1)
    return { id: channel.id, type: 1, flags: 0, last_message_id: null, recipients: [userJson(world, person.id)] };
  if (channel.recipientIds)
    return {
      ...{ id: channel.id, type: 3, name: channel.name, icon: null, flags: 0, last_message_id: null },
      owner_id: channel.recipientIds[0],
      recipients: channel.recipientIds.filter((id) => id !== person.id).map((id) => userJson(world, id)),
    };
  const isThread = channel.type === 11;
  return {
    id: channel.id,
    type: channel.type,
    name: channel.name,
    guild_id: channel.serverId,
    parent_id: channel.parentId ?? null,
    permissions: String(computePermissions(world, channel, person.id)),
    flags: 0,
    last_message_id: null,
    nsfw: false,
    ...(isThread && {
      thread_metadata: { archived: false, auto_archive_duration: 1440, locked: false, archive_timestamp: iso(0) },
    }),
  };
}

/** Returns the path of a stored file below the CDN's root. Only the file's own id matters when it is read. */
export const attachmentPath = ({ channelId, id, filename }: Attachment, ephemeral: boolean): string =>
  `/${ephemeral ? "ephemeral-attachments" : "attachments"}/${channelId}/${id}/${encodeURIComponent(filename)}`;

/** Builds an attachment object. Files of an interaction or an ephemeral message are ephemeral. */
export function attachmentJson(world: World, file: Attachment, ephemeral: boolean): Record<string, unknown> {
  const url = `${world.cdnUrl}${attachmentPath(file, ephemeral)}`;
  const { id, filename, title, contentType, description, bytes, seconds } = file;
  return {
    id,
    filename,
    content_type: contentType,
    size: bytes.length,
    url,
    proxy_url: `${url}${BY_PROXY}`,
    ...(title !== undefined && { title }),
    ...(description !== null && { description }),
    ...(ephemeral && { ephemeral: true }),
    ...(seconds !== undefined && { duration_secs: seconds, waveform: SILENT_WAVEFORM }),
  };
}

/** The loudness of a voice message, as bytes in base64. */
const SILENT_WAVEFORM = btoa(String.fromCharCode(...new Uint8Array(32)));

/** Decides whether a reader gets the content of a message. */
export type Reader = (message: Message) => boolean;

/**
 * Builds a message object. If `reads` returns false, the content is empty, as in other people's messages for a bot without the Message Content
 * intent. A message that is itself quoted still names what it replies to, but doesn't quote it.
 */
export function messageJson(
  world: World,
  message: Message,
  reads: Reader = () => true,
  isQuoted = false,
): Record<string, unknown> {
  const hidden = !reads(message);
  const ephemeral = message.addressee !== null;
  const isOurs = message.authorId === world.applicationId;
  const interaction = message.interactionId === null ? undefined : world.interactions.get(message.interactionId);
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    author: message.webhook ? voiceJson(message.webhook) : userJson(world, message.authorId),
    content: hidden ? "" : message.content,
    embeds: hidden ? [] : message.embeds,
    components: hidden ? [] : message.components,
    attachments: hidden ? [] : message.attachments.map((file) => attachmentJson(world, file, ephemeral)),
    flags: message.flags | (ephemeral ? FLAGS.ephemeral : 0),
    timestamp: iso(message.createdAt),
    edited_timestamp: message.editedAt === null ? null : iso(message.editedAt),
    mention_everyone: message.mentions.everyone,
    mentions: message.mentions.users.map((id) => userJson(world, id)),
    mention_roles: message.mentions.roles,
    pinned: message.pinned,
    tts: false,
    ...(message.poll !== null && !hidden && { poll: pollJson(message.poll) }),
    ...(message.reactions.length > 0 && { reactions: message.reactions.map(reactionJson(world)) }),
    ...(message.nonce !== null && { nonce: message.nonce }),
    ...referenceJson(world, message, reads, isQuoted),
    ...(message.webhook && { webhook_id: message.webhook.id, application_id: world.applicationId }),
    ...(isOurs && interaction && { application_id: world.applicationId, webhook_id: world.applicationId }),
    ...(interaction && { interaction_metadata: metadataJson(world, interaction) }),
  };
}

/** Builds the reference to the message that this one replies to; `referenced_message` is null once that is deleted. */
function referenceJson(world: World, message: Message, reads: Reader, isQuoted: boolean): Record<string, unknown> {
  if (message.forwarded) return forwardJson(world, message.forwarded, reads(message));
  if (message.repliesTo === null) return {};
  const to = world.messages.get(message.repliesTo);
  const inside = world.options.replyShowsReferenced && reads(message) ? () => true : reads;
  return {
    message_reference: {
      type: 0,
      ...placeJson(world, to?.channelId ?? message.channelId),
      message_id: message.repliesTo,
    },
    ...(QUOTING.has(message.type) &&
      !isQuoted && { referenced_message: to ? messageJson(world, to, inside, true) : null }),
  };
}

/** Builds a forward, which has a snapshot instead of its own content. A snapshot has no author. */
function forwardJson(world: World, message: Message, isReadable: boolean): Record<string, unknown> {
  const {
    type,
    content,
    embeds,
    components,
    attachments,
    flags,
    timestamp,
    edited_timestamp,
    mentions,
    mention_roles,
  } = messageJson(world, message, () => isReadable, true);
  const quoted = { type, content, embeds, components, attachments, flags, timestamp, edited_timestamp };
  return {
    message_reference: { type: 1, ...placeJson(world, message.channelId), message_id: message.id },
    message_snapshots: [{ message: { ...quoted, mentions, mention_roles, sticker_items: [] } }],
  };
}

/** Builds the fields that say where a message is. A direct message has no server. */
export function placeJson({ channels }: World, channelId: string): { channel_id: string; guild_id?: string } {
  const serverId = channels.get(channelId)?.serverId;
  return { channel_id: channelId, ...(serverId !== undefined && { guild_id: serverId }) };
}

const reactionJson =
  (world: World) =>
  ({ emoji, by }: Reaction): Record<string, unknown> => ({
    count: by.length,
    count_details: { burst: 0, normal: by.length },
    me: by.includes(world.applicationId),
    me_burst: false,
    burst_colors: [],
    emoji: { id: null, name: emoji },
  });

/** The author of a webhook's message: not a user, only a name and a picture. */
function voiceJson({ id, name, avatarUrl }: NonNullable<Message["webhook"]>): Record<string, unknown> {
  return { id, username: name, global_name: null, discriminator: "0000", avatar: avatarUrl, bot: true };
}

function metadataJson(world: World, { id, type, personId, owners }: Interaction): Record<string, unknown> {
  return { id, type, user: userJson(world, personId), authorizing_integration_owners: owners };
}

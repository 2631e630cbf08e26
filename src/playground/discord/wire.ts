// Converts the world to Discord's JSON: users, members, channels, messages, attachments (docs: resources/*). Only in this
// direction.
import { pollJson } from "./poll.ts";
import { FLAGS } from "./rules.ts";
import {
  type Attachment,
  type Channel,
  findPerson,
  isInGuild,
  type Message,
  type Person,
  type Reaction,
  type World,
} from "./world.ts";

const VIEW_CHANNEL = 1n << 10n;
const SEND_MESSAGES = 1n << 11n;
const EMBED_LINKS = 1n << 14n;
const ATTACH_FILES = 1n << 15n;
const READ_MESSAGE_HISTORY = 1n << 16n;
const MENTION_EVERYONE = 1n << 17n;
const USE_EXTERNAL_EMOJIS = 1n << 18n;
const MANAGE_MESSAGES = 1n << 13n;
const MANAGE_GUILD = 1n << 5n;
const MANAGE_WEBHOOKS = 1n << 29n;
const ADD_REACTIONS = 1n << 6n;
const USE_APPLICATION_COMMANDS = 1n << 31n;
const CREATE_PUBLIC_THREADS = 1n << 35n;
const SEND_MESSAGES_IN_THREADS = 1n << 38n;
const SEND_POLLS = 1n << 49n;
const PIN_MESSAGES = 1n << 51n;

const MEMBER =
  VIEW_CHANNEL |
  SEND_MESSAGES |
  EMBED_LINKS |
  ATTACH_FILES |
  READ_MESSAGE_HISTORY |
  ADD_REACTIONS |
  USE_APPLICATION_COMMANDS |
  SEND_MESSAGES_IN_THREADS |
  CREATE_PUBLIC_THREADS |
  SEND_POLLS;
const MODERATOR = MEMBER | MANAGE_MESSAGES | MANAGE_GUILD | PIN_MESSAGES;
const APPLICATION_IN_DM = ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE | USE_EXTERNAL_EMOJIS;

/** The application's name. */
export const BOT_NAME = "Parley";

/** Discord's default limit of one file, in bytes. */
export const ATTACHMENT_SIZE_LIMIT = 10 * 1024 * 1024;

const iso = (at: number): string => new Date(at).toISOString().replace("Z", "000+00:00");

/** The computed permissions of a person, as Discord's string of digits. */
export const personPermissions = ({ moderator }: Person): string => memberPermissions(moderator);

/** The permissions of everyone in the server, or of its moderators. */
export const memberPermissions = (moderator: boolean): string => String(moderator ? MODERATOR : MEMBER);

/** The application's permissions in a channel. */
export const appPermissions = (world: World, channelId: string): string =>
  String(
    isInGuild(world, channelId)
      ? MEMBER | (world.options.botManagesWebhooks ? MANAGE_WEBHOOKS : 0n)
      : APPLICATION_IN_DM,
  );

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
    ...(isBot && { bot: true }),
  };
}

/** Builds a server member with the permissions that Discord computed for the interaction's channel. */
export function memberJson(world: World, person: Person): Record<string, unknown> {
  return {
    user: userJson(world, person.id),
    nick: null,
    avatar: null,
    roles: person.moderator ? ["1180000000000000031"] : [],
    joined_at: "2026-01-05T10:00:00.000000+00:00",
    premium_since: null,
    deaf: false,
    mute: false,
    pending: false,
    flags: 0,
    permissions: personPermissions(person),
  };
}

/** Builds the partial channel of an interaction: a thread has its parent, a DM its recipient. */
export function channelJson(world: World, channel: Channel, person: Person): Record<string, unknown> {
  if (channel.type === 1)
    return { id: channel.id, type: 1, flags: 0, last_message_id: null, recipients: [userJson(world, person.id)] };
  const isThread = channel.type === 11;
  return {
    id: channel.id,
    type: channel.type,
    name: channel.name,
    guild_id: world.guildId,
    parent_id: channel.parentId ?? null,
    permissions: personPermissions(person),
    flags: 0,
    last_message_id: null,
    nsfw: false,
    ...(isThread && {
      thread_metadata: { archived: false, auto_archive_duration: 1440, locked: false, archive_timestamp: iso(0) },
    }),
  };
}

/** The path of a stored file below the CDN's root. Only the file's own id matters when it is read. */
export const attachmentPath = ({ channelId, id, filename }: Attachment, ephemeral: boolean): string =>
  `/${ephemeral ? "ephemeral-attachments" : "attachments"}/${channelId}/${id}/${encodeURIComponent(filename)}`;

/** Builds an attachment object. Files of an interaction or an ephemeral message are ephemeral. */
export function attachmentJson(world: World, file: Attachment, ephemeral: boolean): Record<string, unknown> {
  const url = `${world.cdnUrl}${attachmentPath(file, ephemeral)}`;
  const { id, filename, contentType, description, bytes } = file;
  return {
    id,
    filename,
    content_type: contentType,
    size: bytes.length,
    url,
    proxy_url: url,
    ...(description !== null && { description }),
    ...(ephemeral && { ephemeral: true }),
  };
}

/** Builds a message object. With `hidden`, as a bot without the Message Content intent gets other people's messages. */
export function messageJson(world: World, message: Message, { hidden = false } = {}): Record<string, unknown> {
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
    mention_everyone: message.pings.includes("everyone"),
    mentions: [],
    mention_roles: [],
    pinned: message.pinned,
    tts: false,
    ...(message.poll !== null && !hidden && { poll: pollJson(message.poll) }),
    ...(message.reactions.length > 0 && { reactions: message.reactions.map(reactionJson(world)) }),
    ...(message.nonce !== null && { nonce: message.nonce }),
    ...(message.repliesTo !== null && {
      message_reference: { type: 0, channel_id: message.channelId, message_id: message.repliesTo },
    }),
    ...(message.webhook && { webhook_id: message.webhook.id, application_id: world.applicationId }),
    ...(isOurs && interaction && { application_id: world.applicationId, webhook_id: world.applicationId }),
    ...(interaction && { interaction_metadata: metadataJson(world, interaction) }),
  };
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

function metadataJson(
  world: World,
  interaction: { id: string; type: number; personId: string; userInstallOnly: boolean; channelId: string },
): Record<string, unknown> {
  return {
    id: interaction.id,
    type: interaction.type,
    user: userJson(world, interaction.personId),
    authorizing_integration_owners: installOwners(world, interaction),
  };
}

/** Who installed the application here: key 0 the server ("0" in the bot's own DM), key 1 the person. */
export function installOwners(
  world: World,
  { userInstallOnly, channelId, personId }: { userInstallOnly: boolean; channelId: string; personId: string },
): Record<string, string> {
  if (userInstallOnly) return { 1: personId };
  return { 0: isInGuild(world, channelId) ? world.guildId : "0" };
}

// Converts the JSON of a message, from the gateway or from a channel's list of messages (docs: resources/message), to our form.
import {
  array,
  boolean,
  looseObject,
  nullable,
  nullish,
  number,
  optional,
  type output,
  string,
  catch as withFallback,
} from "zod/mini";
import { withoutNulls } from "../../core/json.ts";
import { once } from "../../core/once.ts";
import { withEveryonesRole } from "../../core/state/access-lists.ts";
import { asideLines } from "../../core/transcript/asides.ts";
import type { EditedMessage, GatewayMessage, Place, QuotedMessage, RepliedTo } from "../../gateway/message.ts";
import { askedMessage, authorJson, messageJson } from "../interactions/asked-message.ts";
import { attachmentFrom, attachmentJson } from "../interactions/attachment-json.ts";
import { mentionedBy, namesOf } from "../interactions/resolved-names.ts";
import { linkedPictures } from "../interactions/shown-files.ts";
import { extrasShape, readExtras } from "../message-asides.ts";
import { nameOf, personJson, snowflake } from "../person-json.ts";

/** A string or null. */
const maybe = once(() => nullable(string()));
const person = once(() => looseObject({ ...personJson().shape, bot: optional(boolean()) }));
const mentioned = once(() =>
  array(looseObject({ ...person().shape, member: optional(looseObject({ nick: optional(maybe()) })) })),
);
const quoted = once(() =>
  looseObject({
    ...messageJson().shape,
    mentions: optional(mentioned()),
    author: optional(looseObject({ ...authorJson().shape, id: optional(snowflake()) })),
    application_id: nullish(snowflake()),
    type: optional(number()),
    message_reference: optional(looseObject({ message_id: optional(snowflake()), channel_id: optional(snowflake()) })),
  }),
);
// If anything besides a person's words has an unknown form, it counts as missing, so that the question itself is not lost.
const message = once(() =>
  looseObject({
    id: snowflake(),
    channel_id: snowflake(),
    type: optional(number()),
    flags: optional(number()),
    author: person(),
    member: optional(looseObject({ nick: optional(maybe()), roles: optional(array(snowflake())) })),
    webhook_id: optional(snowflake()),
    guild_id: optional(snowflake()),
    channel_type: optional(number()),
    content: optional(maybe()),
    attachments: withFallback(array(attachmentJson()), []),
    embeds: withFallback(optional(array(looseObject({}))), undefined),
    mentions: optional(mentioned()),
    mention_roles: optional(array(snowflake())),
    message_reference: optional(
      looseObject({ type: optional(number()), message_id: optional(snowflake()), channel_id: optional(snowflake()) }),
    ),
    referenced_message: withFallback(nullish(quoted()), undefined),
    message_snapshots: messageJson().shape.message_snapshots,
    ...extrasShape(),
  }),
);
const edited = once(() =>
  looseObject({
    id: snowflake(),
    channel_id: snowflake(),
    edited_timestamp: maybe(),
    content: string(),
    attachments: withFallback(optional(array(attachmentJson())), undefined),
    mentions: withFallback(optional(mentioned()), undefined),
    ...extrasShape(),
  }),
);
type WireMessage = output<ReturnType<typeof message>>;

/** The message types that people write. All others are the system's, or a thread's first message (21). */
const DEFAULT = 0;
const REPLY = 19;
/** A type of `message_reference`. */
const FORWARD = 1;
const EPHEMERAL = 1 << 6;
/** Channel types. */
const DM = 1;
const THREADS = [10, 11, 12];

/**
 * Converts a message; null if the JSON isn't one. `place`: where the message is, if it comes from a channel's list, which does not say so.
 * Never throws.
 */
export function gatewayMessage(json: unknown, place?: Place): GatewayMessage | null {
  const { data } = message().safeParse(withoutNulls(json, "referenced_message"));
  if (!data) return null;
  const { author, member, type = DEFAULT, flags = 0, mentions = [] } = data;
  const asides = asideLines(readExtras(data));
  const linked = linkedPictures(data);
  const [snapshot] = data.message_reference?.type === FORWARD ? (data.message_snapshots ?? []) : [];
  return {
    id: data.id,
    channelId: data.channel_id,
    place: place ?? placeOf(data),
    kind: type === DEFAULT ? "message" : type === REPLY ? "reply" : "other",
    author: {
      id: author.id,
      name: member?.nick ?? nameOf(author),
      isPerson: author.bot !== true && data.webhook_id === undefined,
      roles: member?.roles ? withEveryonesRole(member.roles, data.guild_id) : null,
    },
    isEphemeral: (flags & EPHEMERAL) !== 0,
    mentions: mentions.map(({ id }) => id),
    roleMentions: data.mention_roles ?? [],
    ...namesFrom(data.referenced_message, data),
    text: (data.content ?? "").toWellFormed(),
    ...(asides.length > 0 && { asides }),
    attachments: data.attachments.map(attachmentFrom),
    ...(linked.length > 0 && { linked }),
    forwarded: snapshot ? quotedMessage(snapshot.message) : null,
    repliedTo: repliedTo(data),
  };
}

/** Converts a message of a chain of replies that was read individually; null if the JSON isn't one. Never throws. */
export function chainedMessage(json: unknown): { quoted: QuotedMessage; repliedTo: RepliedTo | null } | null {
  const whole = gatewayMessage(json);
  const { data: part } = quoted().safeParse(json);
  return whole && part ? { quoted: quotedMessage(part), repliedTo: whole.repliedTo } : null;
}

/** Converts an edit; null if it is not by a person: link previews cause updates too, without a new `edited_timestamp`. */
export function editedMessage(json: unknown): EditedMessage | null {
  const { data } = edited().safeParse(json);
  if (!data?.edited_timestamp) return null;
  const asides = asideLines(readExtras(data));
  return {
    messageId: data.id,
    channelId: data.channel_id,
    editedAt: data.edited_timestamp,
    text: data.content.toWellFormed(),
    ...(asides.length > 0 && { asides }),
    ...namesFrom(data),
    attachments: data.attachments?.map(attachmentFrom),
  };
}

/** Returns the names of the people whom these messages mention, if there are any. */
function namesFrom(...messages: unknown[]): Pick<GatewayMessage, "names"> {
  const names = namesOf("@", messages.flatMap(mentionedBy));
  return names.length === 0 ? {} : { names: Object.fromEntries(names) };
}

/**
 * Returns where a message is. Discord may leave out the channel's type. Without `guild_id` the channel then counts as a direct message; our own
 * ephemeral answers have no `guild_id` either, but are not questions. In a server it counts as a thread, whose parent may have its own rules.
 */
function placeOf({ guild_id: guildId, channel_type: type }: WireMessage): Place {
  if (guildId === undefined) return { kind: type === undefined || type === DM ? "dm" : "unknown" };
  return { kind: type === undefined || THREADS.includes(type) ? "thread" : "channel", guildId };
}

/** Reads what a message replies to. `referenced_message` is null if that was deleted, and missing if Discord did not look it up (Discord). */
function repliedTo({
  type,
  message_reference: reference,
  channel_id,
  referenced_message,
}: WireMessage): GatewayMessage["repliedTo"] {
  if (type !== REPLY || reference?.message_id === undefined) return null;
  const original = referenced_message === null ? "deleted" : (referenced_message ?? "unread");
  return {
    messageId: reference.message_id,
    channelId: reference.channel_id ?? channel_id,
    message: typeof original === "string" ? original : quotedMessage(original),
  };
}

function quotedMessage(json: output<ReturnType<typeof quoted>>): QuotedMessage {
  const { author, text, ...beside } = askedMessage(json);
  const { message_id: messageId, channel_id: channelId } = json.message_reference ?? {};
  const isReply = json.type === REPLY && messageId !== undefined && channelId !== undefined;
  return {
    ...(isReply && { repliesTo: { messageId, channelId } }),
    authorName: author,
    text: text.toWellFormed(),
    ...beside,
  };
}

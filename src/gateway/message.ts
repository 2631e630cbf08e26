// A message of a channel as the gateway's rules see it. src/discord/gateway makes it of Discord's JSON. Types only.
import type { Attachment } from "../core/state/attachments.ts";

/**
 * Where a message is. `unknown`: no server and no direct message. Discord sends our own ephemeral answers that way, without
 * `guild_id`, over DIRECT_MESSAGES.
 */
export type Place = { kind: "dm" } | { kind: "channel" | "thread"; guildId: string } | { kind: "unknown" };

/** What a message carries along: the one it replies to, or one that it forwards. A forwarded message has no author (Discord). */
export interface QuotedMessage {
  authorId: string | null;
  /** The application that made it, as an answer to an interaction or by a webhook. */
  applicationId: string | null;
  authorName: string;
  /** Empty also where Discord hides it from us. */
  text: string;
  attachments: Attachment[];
  /** Whoever sent it, others wrote a part of it: the message that it forwards, or a page whose preview it shows. */
  hasOthers?: true;
  /** What it replies to itself. Missing: nothing, or an older program has read it. */
  repliesTo?: { messageId: string; channelId: string };
}

/** `unread`: Discord did not look the message up. */
export interface RepliedTo {
  messageId: string;
  channelId: string;
  message: QuotedMessage | "deleted" | "unread";
}

/** The person who wrote a message. */
export interface Author {
  id: string;
  name: string;
  /** False for bots and webhooks. */
  isPerson: boolean;
  /** Ids of their roles, with the one that everyone has; null where Discord names none, which is not the same as none. */
  roles: readonly string[] | null;
}

/** A message that arrived over the gateway, or was read by REST after a gap. Plain data: it crosses an RPC and is stored. */
export interface GatewayMessage {
  id: string;
  channelId: string;
  place: Place;
  /** `other`: joins, pins, boosts, thread starters and all else that no person has written. */
  kind: "message" | "reply" | "other";
  author: Author;
  isEphemeral: boolean;
  /** Ids of the mentioned people, as Discord found them; the ping of a reply is one of them. */
  mentions: readonly string[];
  /** Ids of the mentioned roles. */
  roleMentions: readonly string[];
  /** Names of the mentioned people, by `@id`. Missing: none, or an older program has read it. */
  names?: Readonly<Record<string, string>>;
  text: string;
  /** Its stickers and its poll, a line each. Missing: none, or an older program has read it. */
  asides?: readonly string[];
  attachments: Attachment[];
  /** The pictures whose links are in its text, as far as Discord has looked at them. Missing: none, or an older program has read it. */
  linked?: readonly Attachment[];
  forwarded: QuotedMessage | null;
  repliedTo: RepliedTo | null;
}

/** A change of a message that may be a question. */
export interface EditedMessage {
  messageId: string;
  channelId: string;
  /** Discord's `edited_timestamp`: a new one for each edit by a person. */
  editedAt: string;
  text: string;
  /** As the message's. */
  asides?: readonly string[];
  names?: Readonly<Record<string, string>>;
  /** Those that are left. Missing: Discord does not say. */
  attachments?: Attachment[] | undefined;
}

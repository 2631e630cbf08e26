// A message of a channel as the gateway's rules see it. src/discord/gateway builds it from Discord's JSON. Types only.
import type { Attachment } from "../core/state/attachments.ts";

/**
 * Where a message is. `unknown`: neither in a server nor in a direct message. Discord sends our own ephemeral answers that way, without
 * `guild_id`, over DIRECT_MESSAGES.
 */
export type Place = { kind: "dm" } | { kind: "channel" | "thread"; guildId: string } | { kind: "unknown" };

/** A message inside another one, which replies to it or forwards it. A forwarded message has no author (Discord). */
export interface QuotedMessage {
  authorId: string | null;
  /** The application that posted it, as an answer to an interaction or by a webhook. */
  applicationId: string | null;
  authorName: string;
  /** Also empty if Discord hides it from us. */
  text: string;
  attachments: Attachment[];
  /** Set if somebody else wrote a part of it: it forwards a message, or shows the preview of a page. */
  hasOthers?: true;
  /** What it replies to itself. Missing if that is nothing, or if an older program read it. */
  repliesTo?: { messageId: string; channelId: string };
}

/** The message that is replied to. `unread`: Discord did not look it up. */
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
  /** Ids of their roles, including the one that everyone has; null if Discord doesn't name any (which doesn't mean that they have none). */
  roles: readonly string[] | null;
}

/** A message that arrived over the gateway, or was read by REST after a gap. Plain data, because it crosses an RPC and is stored. */
export interface GatewayMessage {
  id: string;
  channelId: string;
  place: Place;
  /** `other`: joins, pins, boosts, thread starters, and everything else that no person wrote. */
  kind: "message" | "reply" | "other";
  author: Author;
  isEphemeral: boolean;
  /** Ids of the mentioned people, as Discord found them. The ping of a reply counts as a mention. */
  mentions: readonly string[];
  /** Ids of the mentioned roles. */
  roleMentions: readonly string[];
  /** Names of the mentioned people, by `@id`. Missing if there are none, or if an older program read it. */
  names?: Readonly<Record<string, string>>;
  text: string;
  /** Its stickers and its poll, a line each. Missing if there are none, or if an older program read it. */
  asides?: readonly string[];
  attachments: Attachment[];
  /** The pictures that its text links to, as far as Discord has resolved them. Missing if there are none, or if an older program read it. */
  linked?: readonly Attachment[];
  forwarded: QuotedMessage | null;
  repliedTo: RepliedTo | null;
}

/** An edit of a message that may be a question. */
export interface EditedMessage {
  messageId: string;
  channelId: string;
  /** Discord's `edited_timestamp`: a new one for each edit by a person. */
  editedAt: string;
  text: string;
  /** As in the message. */
  asides?: readonly string[];
  names?: Readonly<Record<string, string>>;
  /** The attachments that are left. Missing if Discord does not say. */
  attachments?: Attachment[] | undefined;
}

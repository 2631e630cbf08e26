// What a turn answers: the person, the words, and what is needed to reply to them. Types only.
import type { PartTaint } from "../taint/taint.ts";
import type { Attachment } from "./attachments.ts";
import type { HeardSound } from "./media.ts";
import type { Persona } from "./persona.ts";
import type { ScenePart } from "./scene.ts";

/** The reminder that a turn answers. `task`: it comes again; its number, and its rule in words. `number`: of one that comes once. */
export interface DueReminder {
  text: string;
  dueAt: number;
  number?: number;
  task?: { number: number; every: string };
}

/** The person and the words that a turn answers, with what is needed to reply to them. */
export interface TurnRequest {
  interactionId: string;
  /**
   * Interaction token: names the reply's webhook, valid for 15 minutes from `receivedAt` (Discord). Null: there was no
   * interaction (a due reminder, a persona of a scene), and the bot posts the reply itself.
   */
  token: string | null;
  /** The message with the question, for a reply that the bot posts itself. */
  messageId?: string;
  /** The message of this channel that the question replies to or is about. */
  repliesTo?: string;
  /** The part of the text that quotes other messages: it stays when the person edits theirs. */
  quoted?: string;
  /** What the messages that joined the turn quote of others. */
  joinedQuotes?: readonly string[];
  /** Others wrote a part of the text or of the files, or a tainted turn proposed it (core/taint). */
  taint?: PartTaint;
  /** Addresses that the person gave beside their own words: in the message that they reply to or ask about. Normal form. */
  named?: readonly string[];
  /** The person wants the answer in a thread of its own. */
  wantsThread?: true;
  /** False: the bot lacks the permissions for threads here, as far as the interaction says. */
  botOpensThreads?: false;
  /** Why the answer is not in a thread, in words. */
  noThread?: string;
  /** A thread was opened for this question. */
  beginsThread?: true;
  /** The newest edit that the text has (Discord's `edited_timestamp`). */
  editedAt?: string;
  /** The due reminder: the turn is automatic, and its reply says whose reminder it is. */
  reminder?: DueReminder;
  /** The bot itself is a member here, so its token can reach the channel. */
  botIsHere?: boolean;
  /** The earlier turn that this one retries or continues. */
  again?: string;
  /** The turn whose place this one takes, if it succeeds: it is no part of this one's conversation. */
  replaces?: string;
  /** A moderator regenerates the asker's answer: what the click's token shows in private, the moderator reads. */
  byModerator?: true;
  /** The speaking persona, as it was when the message arrived; absent: the bot as itself. */
  persona?: Persona;
  /** The turn's part of a scene. */
  scene?: ScenePart;
  /** The channel whose webhook may post for a persona that answers a message, without a scene. */
  webhookChannelId?: string;
  /**
   * The turn speaks as this person, not as the bot, so its failures are never shown in the bot's name. No command sets
   * it.
   */
  impersonatedUserId?: string;
  applicationId: string;
  receivedAt: number;
  channelId: string;
  /** The channel of the thread that this is. */
  parentChannelId?: string;
  /** Null outside a server: `isOutsideServer` in install-context.ts. */
  guildId: string | null;
  userId: string;
  userName: string;
  /** Manage Messages, Manage Server or Administrator here; in the bot's own direct messages, the person. */
  moderator: boolean;
  /** One of the bot's owners? Told in its own direct messages and where only a person brought it along, if someone knows who they are. */
  isOwner?: boolean;
  /** Only this person can see the answer (state/private-turns.ts). Set when the request arrives, or when Discord's answer says so. */
  privateTo?: string;
  /**
   * The person who brought the bot along, into a server that has not added it or a conversation between people. The turn is in an object of
   * that person's own, and the buttons of its reply name them.
   */
  broughtBy?: string;
  /** The person's permissions here, by Discord's names, as far as a tool needs them; missing in rows of an older program. */
  permissions?: readonly string[];
  /** Ids of the person's roles, for a reminder that this turn sets; rows of an older program have none. */
  roles?: readonly string[];
  /** Discord lets only adults into this channel; missing in rows of an older program. */
  ageRestricted?: boolean;
  locale: string;
  text: string;
  /** The turn tells its asker what they missed in so many hours; with null, since their last message. Nothing of it stays (`/catch-up`). */
  catchUp?: { hours: number | null };
  /** Discord hides the words of a command's option from everyone else, so the reply begins with them (setting `show_question`). */
  showsQuestion?: true;
  /** Names of what the text mentions, as far as Discord gave them: by `@id`, `#id` and `&id`. */
  names?: Readonly<Record<string, string>>;
  /** Files sent with the words. */
  attachments?: Attachment[];
  /** How many of the first attachments are the message's own, which its edit may remove; the others come with what it quotes. */
  ownFiles?: number;
  /** What is said in those that are sounds, once it was written down. */
  heard?: readonly HeardSound[];
}

/** What of a request may ask for a tool. */
export type AskingRequest = Pick<TurnRequest, "text" | "quoted" | "reminder" | "heard">;

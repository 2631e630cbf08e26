// What a turn answers: the person, the words, and what is needed to reply to them. Types only.
import type { PartTaint } from "../taint/taint.ts";
import type { Attachment } from "./attachments.ts";
import type { HeardSound } from "./media.ts";
import type { Persona } from "./persona.ts";
import type { ScenePart } from "./scene.ts";

/** The reminder that a turn answers. `task`: it recurs; its number, and its rule in words. `number`: for one that comes once. */
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
   * The interaction's token: names the reply's webhook, valid for 15 minutes from `receivedAt` (Discord). Null: there was no
   * interaction (a due reminder, a persona of a scene), so the bot posts the reply itself.
   */
  token: string | null;
  /** The message with the question, for a reply that the bot itself posts. */
  messageId?: string;
  /** The message of this channel that the question replies to or is about. */
  repliesTo?: string;
  /** The part of the text that quotes other messages: it stays when the person edits their own. */
  quoted?: string;
  /** What messages that joined the turn quote from others. */
  joinedQuotes?: readonly string[];
  /** Others wrote part of the text or the files, or a tainted turn proposed it (core/taint). */
  taint?: PartTaint;
  /** Normalized addresses that the person gave other than in their own words: in the message that they reply to or ask about. */
  named?: readonly string[];
  /** The person wants the answer in its own thread. */
  wantsThread?: true;
  /** False: the bot doesn't have the permissions for threads here, as far as the interaction says. */
  botOpensThreads?: false;
  /** Why the answer is not in a thread, in words. */
  noThread?: string;
  /** A thread was opened for this question. */
  beginsThread?: true;
  /** The newest edit that the text includes (Discord's `edited_timestamp`). */
  editedAt?: string;
  /** The due reminder: the turn is automatic, and its reply says whose reminder it is. */
  reminder?: DueReminder;
  /** Whether the bot itself is a member here, so that its token can reach the channel. */
  botIsHere?: boolean;
  /** The earlier turn that this one retries or continues. */
  again?: string;
  /** The turn that this one replaces if it succeeds; this one's conversation doesn't include it. */
  replaces?: string;
  /** A moderator regenerates the asker's answer, so what the click's token shows privately is read by the moderator. */
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
  /** The parent, if the channel is a thread. */
  parentChannelId?: string;
  /** Null outside a server: `isOutsideServer` in install-context.ts. */
  guildId: string | null;
  userId: string;
  userName: string;
  /** Manage Messages, Manage Server or Administrator here; in the bot's own direct messages, the person. */
  moderator: boolean;
  /** Whether it's one of the bot's owners. Set in its direct messages and where only a person brought it along, if the owners are known. */
  isOwner?: boolean;
  /** Only this person can see the answer (state/private-turns.ts). Set when the request arrives, or when Discord's answer says so. */
  privateTo?: string;
  /**
   * The person who brought the bot along, into a server that has not added it or a conversation between people. The turn is in that
   * person's own object, and the buttons of its reply name them.
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
  /** The turn tells its asker what they missed in this many hours, or with null since their last message. None of it is kept (`/catch-up`). */
  catchUp?: { hours: number | null };
  /** Discord hides the text of a command's option from everyone else, so the reply begins with it (setting `show_question`). */
  showsQuestion?: true;
  /** The names of what the text mentions, as far as Discord gave them: by `@id`, `#id` and `&id`. */
  names?: Readonly<Record<string, string>>;
  /** Files sent with the words. */
  attachments?: Attachment[];
  /** How many attachments, from the first, are the message's own, which an edit may remove; the others come with what it quotes. */
  ownFiles?: number;
  /** The transcriptions of those that are sounds, once they are made. */
  heard?: readonly HeardSound[];
}

/** The parts of a request that may ask for a tool. */
export type AskingRequest = Pick<TurnRequest, "text" | "quoted" | "reminder" | "heard">;

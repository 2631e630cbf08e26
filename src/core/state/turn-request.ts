// What a turn answers: the person, the words, and what is needed to reply to them. Types only.
import type { Attachment } from "./attachments.ts";
import type { Persona } from "./persona.ts";
import type { ScenePart } from "./scene.ts";

/** The person and the words that a turn answers, with what is needed to reply to them. */
export interface TurnRequest {
  interactionId: string;
  /**
   * Interaction token: names the reply's webhook, lives 15 minutes from `receivedAt` (Discord). Null: no interaction asked (a
   * due reminder, a persona of a scene), and the bot posts the reply by itself.
   */
  token: string | null;
  /** The message that asked, for a reply that is posted by itself. */
  messageId?: string;
  /** The reminder that is due: the turn is automatic, and its reply says whose reminder it is. */
  reminder?: { text: string; dueAt: number };
  /** The bot itself is a member here, so that its token opens the channel. */
  botIsHere?: boolean;
  /** The turn that is asked again, or on: this one is about the same words. */
  again?: string;
  /** Who speaks, as they were when the message arrived; absent: the bot as itself. */
  persona?: Persona;
  /** A persona's part of a scene, which answers nobody in particular. */
  scene?: ScenePart;
  /** The turn speaks as this person, not as the bot: a failure of it is never said in the bot's name. No command sets it. */
  impersonatedUserId?: string;
  applicationId: string;
  receivedAt: number;
  channelId: string;
  /** Null outside a server: `isOutsideServer` in install-context.ts. */
  guildId: string | null;
  userId: string;
  userName: string;
  /** Manage Messages, Manage Server or Administrator here; outside a server, everyone. */
  moderator: boolean;
  /** What the person may do here, by Discord's names, as far as a tool asks for it; nothing in rows of an older program. */
  permissions?: readonly string[];
  locale: string;
  text: string;
  /** Files that came with the words. */
  attachments?: Attachment[];
}

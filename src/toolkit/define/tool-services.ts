// The services that an object offers its tools, one narrow interface each. A tool names those it uses and gets no others; while a
// service is missing, its tools are not offered. Knows nothing of who provides them.
import type { EnrichmentItem } from "../../core/state/enrichment.ts";
import type { RecurringTask } from "../../core/state/recurring-task.ts";
import type { CancelAnswer } from "../../core/state/rpc.ts";
import type { Acted, ChannelActions, Failure } from "./channel-actions.ts";

/** Every service, by the name that `execute` finds it under. */
export interface ToolServices {
  /** Requests to any address. The caller checks an address from a model or a person first. Pass the call's signal. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  memories: Memories;
  notes: Notes;
  /**
   * Discord's id of a message of this channel: by its handle, once handles were revealed, by its id or by its link. Null for
   * anything else.
   */
  messageId: (reference: string) => string | null;
  pictures: Pictures;
  actions: ChannelActions;
  /** Hosts, as `host:port`, that may be reached although they are not on the public internet. */
  privateHosts: ReadonlySet<string>;
  /** Asks a search engine for at most `count` pages. Throws what the connection throws. May run twice. */
  search: (query: string, count: number, signal: AbortSignal) => Promise<SearchAnswer>;
  reminders: Reminders;
  /** Draws a picture, which costs money each time, and counts it. Never throws. Must not run twice for one wish. */
  draw: (prompt: string, signal: AbortSignal) => Promise<DrawnPicture>;
  /**
   * Keeps an enrichment that is too large for a result, for five minutes in memory. The result names the key as its
   * `pending_context_key`, and the context restart takes the item.
   */
  stash: (key: string, item: EnrichmentItem) => void;
}

/** Pictures that a model may see, by address. */
export interface Pictures {
  /** Those sent with questions of this conversation, newest first. */
  sent(): SentPicture[];
  /** Those that others posted among the channel's newest messages, newest first; none where these may not be read. May run twice; never throws. */
  heard(signal: AbortSignal): Promise<Acted<SentPicture[]>>;
  /** The id of the person whom a mention, an id or the `@Name` of one known person means; null for anything else. */
  person(reference: string): string | null;
  /** A person's profile picture. May run twice; never throws. */
  profile(userId: string, signal: AbortSignal): Promise<Acted<string>>;
}

/** A picture of the conversation, or of the channel around it. Its address expires at some point. */
export interface SentPicture {
  filename: string;
  url: string;
  /** When it was sent, in epoch milliseconds. */
  at: number;
  /** The name of the person who sent it. */
  sentBy: string;
  /** It came with a question that quotes others, or was not sent to the bot. */
  isOthers: boolean;
}

/** A text that the channel keeps for the long term. Its number is never reused. `at` is in epoch milliseconds. */
export interface Memory {
  number: number;
  text: string;
  userId: string;
  at: number;
  /** `untrusted`: proposed in a turn that had read words of strangers. Missing: a person's wish. */
  origin?: "person" | "untrusted";
}

/** The channel's long-term memory. Synchronous; each change is one transaction. */
export interface Memories {
  count(): number;
  /** Stores a text and returns its number. The same text again keeps its number, so this may run twice. */
  add(memory: Omit<Memory, "number">): number;
  /** At most `limit` memories that share words with the query, the best match first; for an empty query, the newest. */
  find(query: string, limit: number): Memory[];
  /** False if there is no memory with this number. */
  remove(number: number): boolean;
  /** Facts of the person of this turn, which no one else's turn reads. */
  own?: OwnFacts;
}

/** Facts that belong to one person in their whole server. Null: they can't be reached now. Neither method rejects, and both may run twice. */
export interface OwnFacts {
  /** The number; the same text again keeps its own. `limit`: so many are kept already; `of: "people"`: facts of so many people. */
  add(
    text: string,
    origin: "person" | "untrusted",
  ): Promise<{ ok: true; number: number } | { ok: false; limit: number; of?: "people" } | null>;
  /** False if the person has no fact with this number. */
  remove(number: number): Promise<boolean | null>;
}

/** The channel's notes: one short text in every prompt. */
export interface Notes {
  read(): string;
  /** Were they written in a turn that had read words of strangers? */
  areTainted(): boolean;
  /** Replaces the whole text; an empty text clears it. By default it is not tainted. */
  write(text: string, areTainted?: boolean): void;
}

/** A picture, or why there is none. */
export type DrawnPicture = { ok: true; type: string; data: Uint8Array } | { ok: false; error: string; isFault?: true };

/** The pages that a search found, best first, or why it failed. */
export type SearchAnswer = { ok: true; hits: SearchHit[] } | Failure;

/** One page in the search result; all texts are plain. */
export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
  /** In the engine's own words. */
  age?: string;
}

/**
 * A reminder that is still to come. Times are epoch milliseconds. Its number is never reused. `every`: the rule of one that comes again
 * and again, in words; `isPaused`: it has failed too often and does not come until it is set again; `origin`: a tainted turn
 * proposed it.
 */
export interface Reminder {
  number: number;
  userId: string;
  text: string;
  dueAt: number;
  setAt: number;
  every?: string;
  isPaused?: true;
  origin?: "untrusted";
}

/** The channel's reminders, as the person of the turn may see and change them. Synchronous; each change is one transaction. */
export interface Reminders {
  /** The reminder set with this key, for a call that runs again. Found also after it fired. */
  known(key: string): Reminder | null;
  /**
   * Sets a reminder for the person; with a rule, one that comes again and again. It replaces a paused one of the same words. Must not be
   * called with a key that is already known.
   */
  set(wanted: {
    key: string;
    text: string;
    dueAt: number;
    repeats?: Pick<RecurringTask, "rule" | "every">;
  }): SetReminder;
  /** Everyone's reminders that are not yet due, the next one first. */
  pending(): Reminder[];
  /** A person may cancel their own; a moderator may cancel anyone's. */
  cancel(number: number): CancelAnswer;
}

/** The reminder, or the limit that was reached. `chain`: the turn of a reminder may set none. */
export type SetReminder =
  | { ok: true; reminder: Reminder }
  | { ok: false; full: "person" | "channel" | "tasks"; limit: number }
  | { ok: false; full: "chain" };

/** The services of a turn. One that is missing may be so for this call only. */
export type AvailableServices = { readonly [Name in ServiceName]?: ToolServices[Name] | undefined };

/** The name of a service, as a tool's `requires` lists it. */
export type ServiceName = keyof ToolServices;

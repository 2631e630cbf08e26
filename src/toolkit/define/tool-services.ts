// The services that an object offers its tools, one narrow interface each. A tool names those it uses and gets no others; while a service
// is missing, its tools are not offered. Knows nothing about who provides them.
import type { EnrichmentItem } from "../../core/state/enrichment.ts";
import type { RecurringTask } from "../../core/state/recurring-task.ts";
import type { CancelAnswer } from "../../core/state/rpc.ts";
import type { Acted, ChannelActions, Failure } from "./channel-actions.ts";

/** Every service, under the name by which `execute` finds it. */
export interface ToolServices {
  /** Sends a request to any address. The caller must first check an address that comes from a model or a person. Pass the call's signal. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  memories: Memories;
  notes: Notes;
  /**
   * Returns Discord's id of a message of this channel. Accepts its handle, once handles were revealed, its id or its link; null for anything
   * else.
   */
  messageId: (reference: string) => string | null;
  pictures: Pictures;
  actions: ChannelActions;
  /** Hosts, as `host:port`, that may be reached although they are not on the public internet. */
  privateHosts: ReadonlySet<string>;
  /** Asks a search engine for at most `count` pages. Throws what the connection throws. May run twice. */
  search: (query: string, count: number, signal: AbortSignal) => Promise<SearchAnswer>;
  reminders: Reminders;
  /** Draws a picture and counts what it costs; each run costs money. Never throws. Must not run twice for the same request. */
  draw: (prompt: string, signal: AbortSignal) => Promise<DrawnPicture>;
  /**
   * Keeps an enrichment that is too large for a result, in memory and for five minutes. The result names the key as its `pending_context_key`,
   * and the context restart takes the item.
   */
  stash: (key: string, item: EnrichmentItem) => void;
}

/** Pictures that a model may see, by address. */
export interface Pictures {
  /** Returns the pictures sent with questions of this conversation, newest first. */
  sent(): SentPicture[];
  /**
   * Returns the pictures that others posted among the channel's newest messages, newest first; none if these may not be read. May run twice;
   * never throws.
   */
  heard(signal: AbortSignal): Promise<Acted<SentPicture[]>>;
  /** Returns the id of the person meant by a mention, an id or the `@Name` of exactly one known person; null for anything else. */
  person(reference: string): string | null;
  /** Returns the address of a person's profile picture. May run twice; never throws. */
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
  /** `untrusted`: proposed in a turn that had read strangers' words. Missing: a person asked for it. */
  origin?: "person" | "untrusted";
}

/** The channel's long-term memory. Synchronous; each change is one transaction. */
export interface Memories {
  count(): number;
  /** Stores a text and returns its number. Storing the same text again returns the same number, so this may run twice. */
  add(memory: Omit<Memory, "number">): number;
  /** Returns at most `limit` memories that share words with the query, the best match first; for an empty query, the newest. */
  find(query: string, limit: number): Memory[];
  /** Returns false if there is no memory with this number. */
  remove(number: number): boolean;
  /** Facts about the person of this turn, which nobody else's turn reads. */
  own?: OwnFacts;
}

/** Facts that belong to one person in the whole server. Null: they can't be reached now. Neither method rejects, and both may run twice. */
export interface OwnFacts {
  /**
   * Stores a fact and returns its number; the same text again returns the same number. `limit`: the person already has this many; with `of:
   * "people"`, this many people already have facts.
   */
  add(
    text: string,
    origin: "person" | "untrusted",
  ): Promise<{ ok: true; number: number } | { ok: false; limit: number; of?: "people" } | null>;
  /** Returns false if the person has no fact with this number. */
  remove(number: number): Promise<boolean | null>;
}

/** The channel's notes: one short text in every prompt. */
export interface Notes {
  read(): string;
  /** Whether the notes were written in a turn that had read strangers' words. */
  areTainted(): boolean;
  /** Replaces the whole text; an empty text clears it. By default the text is not tainted. */
  write(text: string, areTainted?: boolean): void;
}

/** A picture, or why there is none. */
export type DrawnPicture = { ok: true; type: string; data: Uint8Array } | { ok: false; error: string; isFault?: true };

/** The pages that a search found, best first, or why it failed. */
export type SearchAnswer = { ok: true; hits: SearchHit[] } | Failure;

/** One page in the search result. All texts are plain. */
export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
  /** In the engine's own words. */
  age?: string;
}

/**
 * A reminder that is not yet due. Times are epoch milliseconds. Its number is never reused. `every`: the rule of a recurring one, in words;
 * `isPaused`: it has failed too often and does not come until it is set again; `origin`: a tainted turn proposed it.
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
  /** Returns the reminder that was set with this key, for a call that runs again. Finds it even after it fired. */
  known(key: string): Reminder | null;
  /**
   * Sets a reminder for the person; with a rule, a recurring one. It replaces a paused one with the same words. Must not be called with a key
   * that is already known.
   */
  set(wanted: {
    key: string;
    text: string;
    dueAt: number;
    repeats?: Pick<RecurringTask, "rule" | "every">;
  }): SetReminder;
  /** Returns everyone's reminders that are not yet due, the next one first. */
  pending(): Reminder[];
  /** Cancels a reminder. People may cancel their own; a moderator may cancel anyone's. */
  cancel(number: number): CancelAnswer;
}

/** The reminder, or the limit that was reached. `chain`: a reminder's own turn may not set one. */
export type SetReminder =
  | { ok: true; reminder: Reminder }
  | { ok: false; full: "person" | "channel" | "tasks"; limit: number }
  | { ok: false; full: "chain" };

/** The services of a turn. A missing one may be missing for this call only. */
export type AvailableServices = { readonly [Name in ServiceName]?: ToolServices[Name] | undefined };

/** The name of a service, as a tool's `requires` lists it. */
export type ServiceName = keyof ToolServices;

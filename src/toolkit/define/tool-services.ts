// What an object may lend its tools, one narrow interface each. A tool names those it works with and is handed no others; a
// service that is missing here keeps its tools from being offered. Knows nothing of who provides them.
import type { EnrichmentItem } from "../../core/state/enrichment.ts";
import type { Acted, ChannelActions } from "./channel-actions.ts";

/** Every service by the name under which `execute` finds it. */
export interface ToolServices {
  /** Requests to anywhere: whoever takes an address from a model or a person checks it first. Pass the call's signal. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  memories: Memories;
  notes: Notes;
  /**
   * Discord's id of a message of this channel: by its handle, once handles were revealed, by its id or its link. Null for anything
   * else.
   */
  messageId: (reference: string) => string | null;
  pictures: Pictures;
  actions: ChannelActions;
  /** Hosts, each `host:port`, that may be asked although they are not on the public internet. */
  privateHosts: ReadonlySet<string>;
  /** Asks a search engine for at most `count` pages. Throws what the connection throws. May run twice. */
  search: (query: string, count: number, signal: AbortSignal) => Promise<SearchAnswer>;
  reminders: Reminders;
  /**
   * Keeps an enrichment that is too large for a result, for five minutes in memory: the result names the key as its
   * `pending_context_key`, and the context restart takes the item.
   */
  stash: (key: string, item: EnrichmentItem) => void;
}

/** Pictures that a model may be shown, by their addresses. */
export interface Pictures {
  /** Those that came with questions of this conversation, newest first. */
  sent(): SentPicture[];
  /** A person's profile picture. May run twice; never throws. */
  profile(userId: string, signal: AbortSignal): Promise<Acted<string>>;
}

/** A picture of the conversation; its address expires some time. */
export interface SentPicture {
  filename: string;
  url: string;
  /** The name of the person who sent it. */
  sentBy: string;
}

/** Something that the channel keeps for long. Its number is never given to another one; `at` is in epoch milliseconds. */
export interface Memory {
  number: number;
  text: string;
  userId: string;
  at: number;
}

/** The channel's long-term memory. Synchronous; each change is one transaction. */
export interface Memories {
  count(): number;
  /** Keeps a text and answers its number. The same text again keeps its number, so this may run twice. */
  add(memory: Omit<Memory, "number">): number;
  /** At most `limit` of those that share words with the query, the best first; without words the newest. */
  find(query: string, limit: number): Memory[];
  /** False: there is none of this number. */
  remove(number: number): boolean;
}

/** The channel's notes: one short text that stands in every prompt. */
export interface Notes {
  read(): string;
  /** Takes the place of what was there; an empty text clears it. */
  write(text: string): void;
}

/** What a search found, best first, or how it failed; `retryable` when it may work later. */
export type SearchAnswer =
  | { ok: true; hits: SearchHit[] }
  | { ok: false; error: string; retryable?: boolean; retryAfterMs?: number };

/** One page that a search found; texts are plain. */
export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
  /** As the engine words it. */
  age?: string;
}

/** A reminder that is still to come; times in epoch milliseconds. Its number is never given to another one. */
export interface Reminder {
  number: number;
  userId: string;
  text: string;
  dueAt: number;
  setAt: number;
}

/** The channel's reminders, as the person of the turn may see and change them. Synchronous; each change is one transaction. */
export interface Reminders {
  /** The one that was set with this key, for a call that runs again; also when it has come meanwhile. */
  known(key: string): Reminder | null;
  /** Sets one for the person. A key that is known must not come again. */
  set(wanted: { key: string; text: string; dueAt: number }): SetReminder;
  /** Everybody's that are still to come, the next one first. */
  pending(): Reminder[];
  /** One's own; a moderator may cancel anybody's. */
  cancel(number: number): "cancelled" | "not_found" | "not_yours";
}

/** The reminder, or the limit that is reached. */
export type SetReminder = { ok: true; reminder: Reminder } | { ok: false; full: "person" | "channel"; limit: number };

export type ServiceName = keyof ToolServices;

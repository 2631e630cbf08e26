// What the bot itself can do in its channel, in the form that its tools use. Knows nothing about Discord's wire format.

/**
 * Why something failed, in words for the model. `retryable`: the same call may work later; `retryAfterMs`: after how long. Both apply only to
 * tools that may run again. `isFault`: something that the tool relies on is broken, as also with `retryable`, so it is logged for operators; any
 * other failure is an answer, just as a success is.
 */
export interface Failure {
  ok: false;
  error: string;
  retryable?: boolean;
  retryAfterMs?: number;
  isFault?: true;
}

/** The value, or the reason why there is none. */
export type Acted<Value> = { ok: true; value: Value } | Failure;

/** The bot's actions in one channel. Each call sends one request, and closes it when the signal fires. None throws. */
export interface ChannelActions {
  /** Returns at most `limit` messages, the newest last; with `before`, only those older than that message. May run twice. */
  recentMessages(limit: number, before: string | null, signal: AbortSignal): Promise<Acted<ChannelMessage[]>>;
  /**
   * Adds a reaction. May run twice. `emoji` is written as people write it: the character itself, or `<:name:id>` for a custom emoji of the
   * server.
   */
  addReaction(messageId: string, emoji: string, signal: AbortSignal): Promise<Acted<null>>;
  /**
   * Posts a poll and returns the message's id. Must not run twice. If a poll was posted under this nonce (at most 25 characters) in the last few
   * minutes, returns the id of that one.
   */
  createPoll(poll: NewPoll, nonce: string, signal: AbortSignal): Promise<Acted<string>>;
  /** Opens a thread and returns its id. Must not run twice. Without a message the thread stands alone. */
  createThread(thread: NewThread, reason: string, signal: AbortSignal): Promise<Acted<string>>;
  /** Pins a message. May run twice. */
  pinMessage(messageId: string, reason: string, signal: AbortSignal): Promise<Acted<null>>;
  /** Returns the address of a person's profile picture. May run twice. */
  profilePicture(userId: string, signal: AbortSignal): Promise<Acted<string>>;
}

/** A message as the bot may read it. `at` is in epoch milliseconds. */
export interface ChannelMessage {
  id: string;
  author: { id: string; name: string; isBot: boolean };
  at: number;
  text: string;
  files: string[];
  /** The files that a model can see; the newest last. */
  pictures: { filename: string; url: string }[];
  /** Discord hid the content from the bot, which does not have the Message Content intent. */
  isHidden: boolean;
  repliesTo: string | null;
}

/** A poll. It ends by itself. */
export interface NewPoll {
  question: string;
  answers: string[];
  hours: number;
  mayChooseSeveral: boolean;
}

/** A public thread. */
export interface NewThread {
  name: string;
  /** The message that the thread starts from, or null. */
  messageId: string | null;
  /** How many minutes without a message pass before Discord archives the thread. */
  archiveAfterMinutes: 60 | 1440 | 4320 | 10_080;
}

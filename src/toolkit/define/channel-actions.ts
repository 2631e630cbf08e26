// What the bot itself can do in its channel, as its tools see it. Knows nothing of Discord's wire format.

/**
 * Why something failed, in words for the model. `retryable`: the same call may work later; `retryAfterMs`: after how long. Both count only
 * for tools that may run again. `isFault`: something that the tool relies on is broken, as with `retryable`, so operators read of it; any
 * other failure is an answer like a success.
 */
export interface Failure {
  ok: false;
  error: string;
  retryable?: boolean;
  retryAfterMs?: number;
  isFault?: true;
}

/** The value, or why there is none. */
export type Acted<Value> = { ok: true; value: Value } | Failure;

/** The bot's actions in one channel. Each call is one request and closes it when the signal fires. None throws. */
export interface ChannelActions {
  /** At most `limit` messages, the newest last, only those older than the message `before`. May run twice. */
  recentMessages(limit: number, before: string | null, signal: AbortSignal): Promise<Acted<ChannelMessage[]>>;
  /** May run twice. The emoji as people write it: the character itself, or `<:name:id>` for a custom emoji of the server. */
  addReaction(messageId: string, emoji: string, signal: AbortSignal): Promise<Acted<null>>;
  /**
   * May not run twice. Returns the message's id: for a few minutes, that of the poll that was posted under this nonce (at most 25 characters)
   * before, if there is one.
   */
  createPoll(poll: NewPoll, nonce: string, signal: AbortSignal): Promise<Acted<string>>;
  /** May not run twice. Without a message the thread starts on its own. Returns the thread's id. */
  createThread(thread: NewThread, reason: string, signal: AbortSignal): Promise<Acted<string>>;
  /** May run twice. */
  pinMessage(messageId: string, reason: string, signal: AbortSignal): Promise<Acted<null>>;
  /** The address of a person's profile picture. May run twice. */
  profilePicture(userId: string, signal: AbortSignal): Promise<Acted<string>>;
}

/** A message as the bot may read it. `at` is in epoch milliseconds. */
export interface ChannelMessage {
  id: string;
  author: { id: string; name: string; isBot: boolean };
  at: number;
  text: string;
  files: string[];
  /** Those of the files that a model can see; the newest last. */
  pictures: { filename: string; url: string }[];
  /** Discord hid its content from the bot, which lacks the Message Content intent. */
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
  /** Minutes without a message before Discord archives the thread. */
  archiveAfterMinutes: 60 | 1440 | 4320 | 10_080;
}

// The message types that this Discord has (docs: resources/message, "Message Types").

/** The types, by name. */
export const MESSAGE_TYPES = {
  plain: 0,
  /** The line "pinned a message". */
  pinned: 6,
  /** The line "started a thread". */
  threadLine: 18,
  reply: 19,
  /** Answers a slash command. */
  commandReply: 20,
  /** The first line in a message's thread. */
  threadStarter: 21,
  /** Answers a command of a message's menu. */
  menuReply: 23,
} as const;

/** The types of messages that people can reply to; the others are Discord's own lines. */
export const ANSWERABLE: ReadonlySet<number> = new Set([
  MESSAGE_TYPES.plain,
  MESSAGE_TYPES.reply,
  MESSAGE_TYPES.commandReply,
  MESSAGE_TYPES.menuReply,
]);

/** The types of messages that include the message they refer to. */
export const QUOTING: ReadonlySet<number> = new Set([MESSAGE_TYPES.reply, MESSAGE_TYPES.threadStarter]);

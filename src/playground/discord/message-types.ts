// The types of messages that this Discord has (docs: resources/message, "Message Types").

/** By what a message is. */
export const MESSAGE_TYPES = {
  plain: 0,
  /** The line "pinned a message". */
  pinned: 6,
  /** The line "started a thread". */
  threadLine: 18,
  reply: 19,
  /** Answers a slash command. */
  commandReply: 20,
  /** The line with which the thread of a message begins. */
  threadStarter: 21,
  /** Answers a command of a message's menu. */
  menuReply: 23,
} as const;

/** Types to which one can reply: the others are Discord's own lines. */
export const ANSWERABLE: ReadonlySet<number> = new Set([
  MESSAGE_TYPES.plain,
  MESSAGE_TYPES.reply,
  MESSAGE_TYPES.commandReply,
  MESSAGE_TYPES.menuReply,
]);

/** Types whose message brings along the one that it refers to. */
export const QUOTING: ReadonlySet<number> = new Set([MESSAGE_TYPES.reply, MESSAGE_TYPES.threadStarter]);

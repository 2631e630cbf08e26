// The answers to a message that asks nothing, or whose words Discord hides.

/** The answer to a mention without a question. */
export const mentionHelp = [
  "Write your question after the mention, reply to one of my messages, or send me a direct message.",
  "Reply to someone else's message and mention me to ask about that message.",
  "Use `/chat` to ask with a command, and `/stop` to stop my answer.",
].join("\n");

/** The answer to a mention that replies to a message whose words Discord does not show us. */
export const hiddenQuoteHelp =
  "Discord doesn't show me the message that you replied to. Open its menu and choose Apps, Ask about this.";

/** The answer to a mention of the bot's role alone, whose words Discord does not show us. */
export const hiddenMentionHint =
  "Discord doesn't show me the text of a message that mentions only my role. Mention me by my own name, and send it again.";

/** The answer to a reply whose words Discord does not show us. */
export const hiddenReplyHint =
  "Discord doesn't show me the text of this reply. Mention me in it, or turn its ping on, and send it again.";

// Decides what the text in the box is: a command that was written out, or a message with its mentions. Pure; sends nothing.
import { readWritten, type Usable, type Written } from "./commands.ts";
import { mentions, type Named, toWire } from "./mentions.ts";
import { hasBot, isDirect } from "./places.ts";
import type { Bot, Channel, LocalMessage } from "./shapes.ts";

/** A command with its values, or the text of a message as Discord sends it. */
export type Sending = ({ kind: "command" } & Written) | { kind: "message"; content: string };

/** Reads the box. As in Discord, text that begins with a slash but is not a command is a message. */
export function readBox(text: string, usable: readonly Usable[], known: readonly Named[]): Sending {
  const written = readWritten(text, usable);
  return written ? { kind: "command", ...written } : { kind: "message", content: toWire(text, known) };
}

/** Words a suggestion so that it gets an answer in this channel. */
export function askIn(channel: Channel, bot: Bot, question: string): string {
  if (!bot.listens || !hasBot(channel)) return `/chat ${question}`;
  return isDirect(channel) ? question : `@${bot.name} ${question}`;
}

/**
 * Says why a message gets no answer. "deaf": the bot would answer it, but receives no messages. "aside": it is between people; this includes
 * threads, where the bot answers everything only with a setting. Null: it may get an answer. `answered`: the message to which it replies.
 */
export function whyUnanswered(
  content: string,
  channel: Channel,
  bot: Bot,
  answered: LocalMessage | undefined,
): "deaf" | "aside" | null {
  if (!hasBot(channel)) return null;
  const isForBot = isDirect(channel) || mentions(content, bot.id) || answered?.author.id === bot.id;
  if (isForBot) return bot.listens ? null : "deaf";
  return "aside";
}

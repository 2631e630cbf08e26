// What becomes of the text in the box: a command that was written out, or a message with its mentions. Pure; sends nothing.
import { readWritten, type Usable, type Written } from "./commands.ts";
import { mentions, type Named, toWire } from "./mentions.ts";
import { hasBot, isDirect } from "./places.ts";
import type { Bot, Channel, LocalMessage } from "./shapes.ts";

/** A command with its values, or the text of a message as Discord sends it. */
export type Sending = ({ kind: "command" } & Written) | { kind: "message"; content: string };

/** Reads the box. Text that begins with a slash and is no command is a message, as in Discord. */
export function readBox(text: string, usable: readonly Usable[], known: readonly Named[]): Sending {
  const written = readWritten(text, usable);
  return written ? { kind: "command", ...written } : { kind: "message", content: toWire(text, known) };
}

/** How a suggestion asks in a channel: in a way that is answered now. */
export function askIn(channel: Channel, bot: Bot, question: string): string {
  if (!bot.listens || !hasBot(channel)) return `/chat ${question}`;
  return isDirect(channel) ? question : `@${bot.name} ${question}`;
}

/**
 * Why a message gets no answer. "deaf": the bot would answer it, but hears no messages. "aside": it is between people, also in a thread,
 * where only a setting makes a question of everything. Null: it may get one. `answered`: the message to which it replies.
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

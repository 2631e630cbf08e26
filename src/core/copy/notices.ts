// The small lines of a reply, its buttons, and the sentences about commands that can't be served.

import { showUnseen } from "../markdown/visible-characters.ts";
import type { DueReminder } from "../state/turn-request.ts";
import { counted } from "./counts.ts";
import { fromNow, seconds } from "./durations.ts";

/** Mentions a person. An empty id: they asked to be forgotten while a line above a scene still names them. */
export const person = (userId: string): string => (userId ? `<@${userId}>` : "someone");
/** Writes a size, rounded to MiB; a size that would round to nothing is in bytes. */
const sizeText = (bytes: number) =>
  bytes < 100_000 ? counted(bytes, "byte") : `${Math.round((bytes / 1_048_576) * 10) / 10} MiB`;

/** Writes the line that ends a reminder's reply: it is there even if no model could say anything. */
export function reminderLine({ text, dueAt, task }: DueReminder, userId: string): string {
  const due = `${task ? `${task.every}, ` : ""}due ${fromNow(dueAt)}`;
  return `-# ⏰ Reminder for ${person(userId)}, ${due}: ${text.replace(/\s+/g, " ")}`;
}

/** Writes the line below the last turn of a recurring task that has paused itself. */
export const taskPaused = (number: number): string =>
  `-# ⏸️ It failed three times in a row, so I paused it. Ask me to set it again, or end it with \`/reminders cancel\` and the number ${number}.`;

/** Describes a tool call so that a person can judge it: with all its arguments, and with nothing in them invisible. */
export function callText(tool: string, input: object): string {
  const details = Object.entries(input).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return showUnseen(details.length === 0 ? tool : `${tool} with ${details.join(", ")}`);
}

/** Says who may approve what the asker alone may not. `hasApprovers`: the setting `approvers` names roles. */
export const voucher = (hasApprovers: boolean): string =>
  hasApprovers ? "a moderator or someone with an approver's role" : "a moderator";

/** What a person is asked to approve. The summary is written by a model: nothing in it may look like our own text. */
interface WantedApproval {
  summary: string;
  /** The answer's text above it, which a model wrote, too. */
  above?: string;
  link?: string;
  /** The asker alone may not approve it. */
  byModerator?: boolean;
  /** It needs approval because of what the turn has read. */
  isSuspect?: boolean;
  /** The summary is cut short, and a file has all the arguments. */
  isCut?: boolean;
}

/** No message is longer than this, in UTF-16 units. */
const MOST_ABOVE = 4000;

/**
 * Writes a summary as inline code into which nothing that begins above can reach: no other code, no spoiler, no words of a link. Even if
 * something breaks the code, as more backticks would, nothing in it is left that Discord would show as anything but text.
 */
function summaryCode(summary: string, above: string): string {
  const runs: readonly string[] = above.slice(-MOST_ABOVE).match(/`+/g) ?? [];
  let ticks = "`";
  while (runs.includes(ticks)) ticks += "`";
  const shown = summary.replaceAll("`", "'").replace(/\|(?=\|)|\](?=\()|<(?=[@#]|[^<>]*:)/g, "$& ");
  // A link's address or title, which nobody sees, ends only at a closing parenthesis, however long it is.
  return ticks + (above.includes("](") ? shown.replaceAll(")", "）") : shown) + ticks;
}

/** Small lines of a reply in addition to its answer, the labels of buttons, and sentences about requests that can't be served. */
export const say = {
  waiting: (position: number, before: string[]) =>
    `-# Waiting: number ${position} in the queue${before.length > 0 ? `, after ${before.map(person).join(", ")}` : ""}.`,
  scene: (names: readonly string[]) => `-# Scene: ${names.join(", ")}`,
  thinking: "-# Thinking …",
  usingTool: (tool: string, startedAt: number) => `-# Using \`${tool}\`, started ${fromNow(startedAt)} …`,
  stillWorking: "-# Still working. This is taking more steps than usual. Click Stop if it looks stuck.",
  resumed: "-# resumed after an interruption",
  blocked: "-# ⚠️ Discord's filters blocked this answer. Try rephrasing.",
  notTaken: "-# ⚠️ Discord did not accept this answer as a message. Try rephrasing if no attached file contains it.",
  approvalWanted: (
    ownerId: string,
    { summary, above = "", link, byModerator, isSuspect, isCut }: WantedApproval,
    /** Null: outside the servers that have added us, nobody but the asker decides. */
    hasApprovers: boolean | null,
    ms: number,
  ) =>
    [
      `-# ⚠️ This needs approval from ${hasApprovers === null ? person(ownerId) : `${byModerator ? "" : `${person(ownerId)} or `}${voucher(hasApprovers)}`} within ${seconds(ms)}. Click Approve or Deny:`,
      `-# ${summaryCode(summary, above)}`,
      ...(isSuspect
        ? ["-# I have read other people's text, which may have led me to this. Approve it only if you want it."]
        : []),
      ...(link ? [`-# on ${link}`] : []),
      ...(isCut ? ["-# All of its arguments are in the attached file. Read it before you approve."] : []),
    ].join("\n"),
  aboutMessage: (link: string) => `-# This is about your message ${link}`,
  remindedInPrivate: (channelId: string) => `-# I could not write this in <#${channelId}>, so it is here.`,
  openingThread: "-# Opening a thread …",
  answersInThread: (threadId: string) => `The answer is in <#${threadId}>.`,
  noThread: (why: string) => `-# I couldn't open a thread, so the answer is here: ${why}.`,
  noThreadBecause: {
    outside: "there are no threads outside servers",
    no_bot: "only a bot that is a member of this server can open one",
    bot_not_allowed: "I need the Create Public Threads and Send Messages in Threads permissions",
    unreachable: "Discord did not answer in time",
    refused: "Discord refused it",
    not_allowed: "you need the Create Public Threads permission",
  },
  threadName: "Question",
  answerReady: (userId: string) => `${person(userId)} Your answer is ready.`,
  answerEnded: (userId: string) => `${person(userId)} Your answer ended early. My reply says why.`,
  stopButton: "Stop",
  approveButton: "Approve",
  denyButton: "Deny",
  forgetButton: "Forget me",
  continueButton: "Continue",
  retryButton: "Retry",
  regenerateButton: "Regenerate",
  deleteButton: "Delete",
  goOn: "Continue from where you had to stop.",
  askAbout: (author: string) => `What do you make of this message by ${author}?`,
  unknownAuthor: "someone",
  deliveryWaits:
    "-# This is taking longer than Discord lets me write here. Click Continue to see the rest when it is ready.",
  wholeAnswerAttached: "-# The full answer is in the attached file.",
  notConfigured: (problems: readonly string[]) =>
    `I can't answer, because my configuration is incomplete: ${problems.join("; ")}. Tell the bot's owner.`,
  unknownCommand: (name: string) =>
    `I don't know the command \`/${name}\`. Your list of commands may be out of date. Reload Discord and try again.`,
  unknownComponent: "This button is from an older version of me and no longer works. Ask again with `/chat`.",
  emptyMessage: "Your message is empty. Write your question and send it again.",
  messageTooLong: (limit: number) =>
    `Your message is longer than ${limit} characters, the most I can read at once. Shorten it or split it into several messages.`,
  fileTooLarge: (name: string, limitBytes: number) =>
    `The file \`${name}\` is larger than ${sizeText(limitBytes)}, the most you can send here. Send a smaller file.`,
  unknownModal: "This form is from an older version of me, and nothing was sent. Open it again with its command.",
  nothingToAskAbout:
    "There is nothing in that message that I can read: no text, no embed and no file. Choose another message.",
  moderatorsOnly: (command: string) =>
    `Only moderators can use \`/${command}\`. It requires the Manage Messages or Manage Server permission in this channel. Ask a moderator.`,
  managersOnly: (command: string) =>
    `\`/${command}\` requires the Manage Server permission. Ask someone who manages this server.`,
  visitorsCannot: (command: string) =>
    `You can't use \`/${command}\` where only you brought me along. Use it in ${command.startsWith("tools ") ? "" : "a direct message with me, or in "}a server that has added me.`,
} as const;

// The small lines of a reply, its buttons, and the sentences about commands that can't be served.
import { seconds } from "./durations.ts";

const person = (userId: string) => `<@${userId}>`;
const mebibytes = (bytes: number) => Math.round((bytes / 1_048_576) * 10) / 10;

/** The line that a reminder's reply ends with: it is there even when no model could say anything. */
export function reminderLine({ text, dueAt }: { text: string; dueAt: number }, userId: string): string {
  const due = Math.floor(dueAt / 1000);
  return `-# ⏰ Reminder for ${person(userId)}, due <t:${due}:R>: ${text.replace(/\s+/g, " ")}`;
}

/** A call of a tool, as a person can judge it. */
export function callText(tool: string, input: object): string {
  const details = Object.entries(input).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return details.length === 0 ? tool : `${tool} with ${details.join(", ")}`;
}

/** Lines that stand in a reply before its answer, and sentences about requests that can't be served. */
export const say = {
  waiting: (position: number, before: string[]) =>
    `-# Waiting: number ${position} in the queue${before.length > 0 ? `, after ${before.map(person).join(", ")}` : ""}.`,
  scene: (names: readonly string[]) => `-# Scene: ${names.join(", ")}`,
  usingTool: (tool: string) => `-# Using \`${tool}\` …`,
  stillWorking: "-# Still working: this takes more steps than usual. Press Stop if it looks stuck.",
  resumed: "-# resumed after an interruption",
  blocked: "-# ⚠️ Discord's filters did not let this answer through.",
  /** The summary is a model's words: nothing in it may look like ours. */
  approvalWanted: (ownerId: string, { summary, link }: { summary: string; link?: string }, ms: number) =>
    `-# ⚠️ This needs the approval of ${person(ownerId)} or a moderator within ${seconds(ms)}:\n-# \`${summary.replaceAll("`", "'")}\`${link ? `\n-# on ${link}` : ""}`,
  stopButton: "Stop",
  approveButton: "Approve",
  denyButton: "Deny",
  continueButton: "Continue",
  retryButton: "Retry",
  goOn: "Go on from where you had to stop.",
  askAbout: (author: string) => `What do you make of this message by ${author}?`,
  unknownAuthor: "somebody",
  deliveryWaits:
    "-# This takes longer than Discord lets me write here. Press Continue to see the rest when it is there.",
  thoughtLogTitle: "What a turn thought",
  thoughtsCut: (characters: number) => `… and about ${characters} characters more.`,
  wholeAnswerAttached: "-# The whole answer is in the attached file.",
  unknownCommand: (name: string) =>
    `I don't know the command \`/${name}\` (any more). The list of commands may be from an older version.`,
  unknownComponent: "This button is from an older version of me and does nothing any more.",
  emptyMessage: "There is nothing in your message that I could answer. Write something after `/chat`.",
  messageTooLong: (limit: number) => `Your message is longer than ${limit} characters, the most I can read at once.`,
  fileTooLarge: (name: string, limitBytes: number) =>
    `The file \`${name}\` is larger than ${mebibytes(limitBytes)} MiB, the most you may send here.`,
  unknownModal: "This form is from an older version of me, and nothing was sent. Open it once more with its command.",
  nothingToAskAbout: "There is nothing in that message that I could read: no text, no embed and no file.",
  moderatorsOnly: (command: string) =>
    `Only moderators can use \`/${command}\`: it takes Manage Messages or Manage Server in this channel.`,
  managersOnly: (command: string) =>
    `\`/${command}\` takes the permission Manage Server. Ask somebody who manages this server.`,
  choiceMissing: "One of the choices is missing. Use the command once more and pick one.",
  oneTrigger: "A trigger is for one `tool`, and is either a `phrase` or a `pattern`.",
  settingRefused: (rule: string) => `${rule} Nothing was changed.`,
  settingNeedsServer: (key: string) => `\`${key}\` has no meaning in a direct message. Set it in a server's channel.`,
  settingNeedsBotToken: (key: string) =>
    `\`${key}\` can't work: I run without a bot token. Whoever runs me has to set \`DISCORD_BOT_TOKEN\`.`,
  settingNeedsMembership: (key: string) =>
    `\`${key}\` can't work here: this server has not added me. Somebody with Manage Server can do that.`,
  reset: (messages: number) =>
    messages === 0
      ? "There was no conversation to forget here. Settings and long-term memory stay as they are."
      : `Forgot this channel's conversation (${messages} stored messages) and my notes about it. Settings and long-term memory stay as they are.`,
} as const;

// Every sentence that a person can read about what became of their request. English first; a second language is a second
// object of the same shape. `-#` is Discord's small text; an ending that is a failure starts with the warning sign.

import type { Ending } from "../state/ending.ts";
import { personaFaultText } from "../state/persona.ts";
import type { ApprovalAnswer, Refusal, ResumeAnswer, StopAnswer } from "../state/rpc.ts";
import { nearText, spentText } from "./budget-text.ts";
import { fileNotices } from "./file-notices.ts";
import { MODEL_FAILED } from "./model-failure-text.ts";

const person = (userId: string) => `<@${userId}>`;
const entries = (count: number) => (count === 1 ? "one waiting message" : `${count} waiting messages`);

/** The small line that closes an answer, or null when nothing needs to be said. */
export function endingNotice(ending: Ending): string | null {
  const notice = endingSentence(ending);
  const told = ending.quiet && notice?.includes(WARNING) ? null : notice;
  const near = ending.near && !ending.quiet ? `-# ${nearText(ending.near)}` : null;
  const files = ending.files && !ending.quiet ? fileNotices(ending.files) : [];
  return [told, ...files, near].filter((line) => line !== null).join("\n") || null;
}

const WARNING = "⚠️";

function endingSentence(ending: Ending): string | null {
  switch (ending.kind) {
    case "completed":
      return completedNotice(ending);
    case "gone":
      return null;
    case "stopped":
      return `-# Stopped by ${person(ending.by)}.`;
    case "follow_up":
      return "-# Interrupted by your next message, which is answered below.";
    case "model_failed":
      return `-# ⚠️ ${ending.reason === "aborted" ? MODEL_FAILED.unknown : MODEL_FAILED[ending.reason]}`;
    case "model_silent":
      return `-# ⚠️ ${MODEL_FAILED.timeout}`;
    case "turn_deadline":
      return "-# ⚠️ This took longer than a turn may take and was ended. What was reached stands above.";
    case "iteration_limit":
      return "-# ⚠️ The limit of steps for one turn was reached. Ask on to continue from here.";
    case "budget_spent":
      return `-# ⚠️ ${spentText(ending)}`;
    case "tool_errors":
      return "-# ⚠️ The tools kept failing, so the turn was ended. Try saying it differently.";
    case "call_loop":
      return `-# ⚠️ The model kept making the same call of \`${ending.tool}\` with the same result, so the turn was ended. Try saying it differently.`;
    case "empty":
      return "-# ⚠️ The model gave an empty answer. Try again, or say it differently.";
    case "interrupted":
      return "-# ⚠️ This turn was interrupted and could not be resumed. What was reached stands above; ask again to go on.";
    case "crashed":
      return "-# ⚠️ Something went wrong on our side, and the turn was ended. It has been logged; try again.";
    case "cleared":
      return `-# Cleared from the queue by ${person(ending.by)}.`;
    case "taken_back":
      return `-# Taken out of the queue by ${person(ending.by)}.`;
    case "superseded":
      return "-# Replaced by your newer message.";
    case "steered":
      return "-# Handed to the answer that is running above.";
  }
}

function completedNotice({ by, cut, wordless }: Extract<Ending, { kind: "completed" }>): string | null {
  const lines = [
    ...(by === undefined ? [] : [`-# answered by ${by}`]),
    ...(cut ? ["-# ⚠️ The answer was cut off at the model's limit of length. Ask it to go on."] : []),
    // A reply with nothing in it would look as if it were still being written.
    ...(wordless ? ["-# Done. There is nothing to add."] : []),
  ];
  return lines.length > 0 ? lines.join("\n") : null;
}

/** Why a request was not accepted, and what to do. */
export function refusalText(refusal: Refusal): string {
  switch (refusal.reason) {
    case "queue_full":
      return refusal.limit === 0
        ? "I'm answering somebody else here. Try again when that is done."
        : `The queue of this channel is full (${refusal.limit}). Try again when something was answered.`;
    case "user_share_full":
      return `You have ${refusal.limit} messages waiting here, which is the most one person may have. Try again when one was answered.`;
    case "stop_pending":
      return "The running answer is being stopped right now. Try again in a moment.";
    case "denied":
      return "You may not ask me here: a list of this channel's settings says so. Somebody with Manage Server can change it.";
    case "not_listed":
      return "Only certain people and roles may ask me here. Somebody with Manage Server can put you on the list.";
    case "budget_spent":
      return spentText(refusal);
    case "too_long_for_model":
      return `Your message is about ${refusal.tokens} tokens long, and the model \`${refusal.model}\` reads at most ${refusal.limit} of one. Say it in fewer words, or in several messages.`;
    case "no_access":
      return `Discord does not let me write in this channel. Somebody who manages it can allow me to see it and to send messages; I try again in ${seconds(refusal.forMs)}.`;
    case "not_yours":
      return "Only the person who asked can ask this again. Use `/chat` for a question of your own.";
    case "asked_again":
      return "This was asked again already. The newer answer stands below.";
    case "forgotten":
      return "I don't know this answer any more. Ask again with `/chat`.";
    case "scene_size":
      return `A scene has 1 to ${refusal.limit} personas: name them, with commas between.`;
    case "unknown_persona":
      return personaFaultText({ fault: "unknown", name: refusal.name, known: refusal.known });
    case "unavailable":
      return "This channel can't be reached just now. Try again in a moment.";
  }
}

/** What a press of Continue did, where there is something to say. */
export function resumeText({ result }: ResumeAnswer): string | null {
  switch (result) {
    case "goes_on":
      return null;
    case "complete":
      return "This answer is complete already.";
    case "forgotten":
      return refusalText({ reason: "forgotten" });
  }
}

/** What a stop did. */
export function stopText(answer: StopAnswer): string {
  switch (answer.result) {
    case "stopped": {
      const what = {
        running: `Stopped the answer to ${person(answer.ofUserId)}.`,
        queued: `Took the waiting message of ${person(answer.ofUserId)} out of the queue.`,
        parked: `Stopped the turn of ${person(answer.ofUserId)} that waited for approval.`,
      }[answer.what];
      return answer.cleared > 0 ? `${what} Cleared ${entries(answer.cleared)}.` : what;
    }
    case "cleared_queue":
      return `Nothing was running. Cleared ${entries(answer.cleared)}.`;
    case "already_finished":
      return "That answer has already finished.";
    case "nothing_to_stop":
      return "There is nothing to stop here.";
    case "not_allowed":
      return "Only the person who asked, or a moderator, can stop this.";
  }
}

/** The line that a reminder's reply ends with: it is there even when no model could say anything. */
export function reminderLine({ text, dueAt }: { text: string; dueAt: number }, userId: string): string {
  const due = Math.floor(dueAt / 1000);
  return `-# ⏰ Reminder for ${person(userId)}, due <t:${due}:R>: ${text.replace(/\s+/g, " ")}`;
}

/** What a press of Approve or Deny did. */
export function approvalText(answer: ApprovalAnswer): string {
  switch (answer.result) {
    case "approved":
      return "Approved. The answer goes on.";
    case "denied":
      return "Denied. The answer goes on without it.";
    case "already_decided":
      return {
        approved: "This was approved already.",
        denied: "This was denied already.",
        expired: "Nobody answered in time, so it was not done.",
      }[answer.as];
    case "nothing_asked":
      return "Nothing waits for approval here any more.";
    case "not_allowed":
      return "Only the person who asked, or a moderator, can decide this.";
  }
}

/** A length of time as people say it. */
export const seconds = (ms: number) => (ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);

const mebibytes = (bytes: number) => Math.round((bytes / 1_048_576) * 10) / 10;

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

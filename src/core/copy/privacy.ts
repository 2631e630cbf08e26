// What people read about the data that is kept about them, and when they ask for a file of it or to be forgotten.

import type { KeptHere, OwnFact, PersonAnswer } from "../access/person-rpc.ts";
import type { ForgottenElsewhere } from "../access/scope-rpc.ts";
import { cutText } from "../markdown/code-points.ts";
import type { Forgotten } from "../state/rpc.ts";
import { counted } from "./counts.ts";
import { fromNow } from "./durations.ts";

/** Where else a person is forgotten. `outside`: in their conversations outside servers. */
export type ForgetReach = "server" | "outside";

const ELSEWHERE = {
  server: "in every other channel of this server where you used me",
  outside: "in your other conversations with me outside servers",
} as const;

/** What `/privacy show` needs besides the figures. `modelHosts`: where the models are. */
export interface PrivacyFacts {
  reach: ForgetReach;
  modelHosts: readonly string[];
}

/** Writes the answer to `/privacy show`. `scope`: null if it can't be reached. */
export function keptText(
  { questions, messages, memories, reminders, keepDays, summary }: KeptHere,
  scope: Extract<PersonAnswer, { op: "about" }> | null,
  { reach, modelHosts }: PrivacyFacts,
): string {
  const where = reach === "server" ? "of this server" : "outside servers";
  const kept = `${counted(questions, "question")} of yours with my answers (${counted(messages, "message")})`;
  return [
    "**What I keep about you**",
    `- Here: ${kept} for ${counted(keepDays, "day")}; ${counted(memories, "memory", "memories")} and ${counted(reminders, "reminder")} until they are deleted or due.`,
    ...(summary === undefined ? [] : [`- ${summary === null ? NOT_SUMMARIZED : summarizedLine(summary)}`]),
    scope === null
      ? `- I can't reach the other channels ${where} now. Use \`/privacy show\` again in a minute.`
      : `- Elsewhere: ${counted(scope.otherChannels, "other channel")} ${where} where you used me may keep the same.`,
    "- How much you used me: 62 days. In which channels: 400 days.",
    `- Where it goes: your questions, and what was said before them here, go to the model at ${modelHosts.join(" and ")}; what a tool needs goes to that tool. I store all of it where I run, at Cloudflare or on my owner's computer, and nowhere else.`,
    ...(scope === null || scope.facts.length === 0 ? [] : [ownFactsLine(scope.facts)]),
    ...(scope === null ? [] : [`- ${scope.isLeftOut ? LEFT_OUT : NOT_LEFT_OUT}`]),
    "-# `/privacy export` sends you a file with the words. `/privacy forget` deletes them.",
  ].join("\n");
}

const NOT_SUMMARIZED = "No summary of the earlier conversation here contains any of your words.";

const summarizedLine = ({ messages, at }: NonNullable<KeptHere["summary"]>): string =>
  `Some of your words are in the summary that I read here instead of ${counted(messages, "earlier message")}, written ${fromNow(at)}. \`/bot summary\` shows it; \`/privacy forget\` deletes it.`;

/** Writes what the file of `/privacy export` says about a summary. `isOthersToo`: it covers other people's words, so its text is left out. */
export const summaryNote = (isOthersToo: boolean): string =>
  isOthersToo
    ? "A model wrote this summary of your words and those of other people, so its text is not in this file; /bot summary shows it in its channel. /privacy forget deletes it."
    : "A model wrote this summary of your words. /privacy forget deletes it.";

const SHOWN_FACTS = 5;
const SHOWN_CHARS = 80;

/** Lists only the newest, shortened: the file has them all. */
const ownFactsLine = (facts: readonly OwnFact[]): string =>
  `- Facts about you, for your own questions: ${facts
    .slice(-SHOWN_FACTS)
    .map(({ number, text }) => `${number}. ${cutText(text.replaceAll("\n", " "), SHOWN_CHARS)}`)
    .join(" · ")}${facts.length > SHOWN_FACTS ? ` (and ${facts.length - SHOWN_FACTS} more)` : ""}`;

const LEFT_OUT = "What I overhear: you are left out. `/privacy opt-out state:off` ends that.";
const NOT_LEFT_OUT =
  "What I overhear: where I may read messages, a question can come with the newest ones around it, including yours; I don't store them. `/privacy opt-out state:on` leaves yours out.";

/** Too many files are being made to start another. */
export const EXPORT_BUSY = "I'm still making files like this one. Use `/privacy export` again in a minute.";

/** Writes the text above the file of `/privacy export`. `unread`: how many conversations are not in it. */
export const exportText = (conversations: number, unread: number): string =>
  [
    `What I keep about you, from ${counted(conversations, "conversation")}. Only you see this file.`,
    ...(unread === 0
      ? []
      : [
          `${counted(unread, "conversation is", "conversations are")} not in it: I could not reach everything, or the file is full. Use \`/privacy export\` there.`,
        ]),
  ].join("\n");

/** Writes the answer to `/privacy opt-out`. */
export function leftOutText(answer: Extract<PersonAnswer, { op: "left_out" | "full" }>, reach: ForgetReach): string {
  const where = reach === "server" ? "in this server" : "outside servers";
  const when = `${reach === "server" ? "from now on here and " : ""}within a minute everywhere ${where}`;
  if (answer.op === "full")
    return `The list of people who are left out ${where} is full (${answer.limit}). Ask the bot's owner what to do.`;
  return answer.isLeftOut
    ? `What you write to other people is left out of what I overhear and of digests, ${when}. What you ask me yourself is kept as before; \`/privacy forget\` deletes it.`
    : `I may again read what you write, ${when}, where I may read messages at all.`;
}

/** Writes the question that is asked before anything is deleted. */
export const forgetQuestion = (reach: ForgetReach): string =>
  `This deletes what I keep about you in this channel and ${ELSEWHERE[reach]}: your messages and my answers to them, the memories you gave me, your reminders, your personal settings and your usage of earlier days. It can't be undone, and it deletes nothing in Discord. Click the button to do it.`;

/** Says what was deleted. `elsewhere`: null if the other channels can't be reached at all. */
export const forgottenText = (
  { messages, memories, reminders }: Forgotten,
  elsewhere: ForgottenElsewhere | null,
  reach: ForgetReach,
): string =>
  [
    `Forgot you in this channel: ${counted(messages, "message")}, ${counted(memories, "memory", "memories")}, ${counted(reminders, "reminder")}, your personal settings and my notes about the channel.`,
    elsewhereText(elsewhere, reach),
    "Today's usage stays until midnight UTC. Questions whose answers are not finished stay, too. Your wish to be left out of what I overhear stays, and so does your id where you set the thought log, until it is set again or cleared. What other people asked, and my answers to them, may mention or quote you. A channel that has not been used since my last update forgets you when it is next used.",
  ].join("\n");

function elsewhereText(elsewhere: ForgottenElsewhere | null, reach: ForgetReach): string {
  const where = reach === "server" ? "of this server" : "outside servers";
  if (elsewhere === null)
    return `I can't reach the other channels ${where} now. Use \`/privacy forget\` again in a minute.`;
  const { channels, left } = elsewhere;
  const rest =
    left === 0 ? "" : ` ${counted(left, "channel is", "channels are")} left; I'll keep trying until all are done.`;
  return `Forgot you in ${counted(channels, "other channel")} ${where}.${rest}`;
}

// What people read when they ask to be forgotten.
import type { ForgottenElsewhere } from "../access/scope-rpc.ts";
import type { Forgotten } from "../state/rpc.ts";

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Where else a person is forgotten. `outside`: in their conversations outside servers. */
export type ForgetReach = "server" | "outside";

const ELSEWHERE = {
  server: "in every other channel of this server where you used me",
  outside: "in your other conversations with me outside servers",
} as const;

/** Asked before anything is deleted. */
export const forgetQuestion = (reach: ForgetReach): string =>
  `This deletes what I keep about you in this channel and ${ELSEWHERE[reach]}: your messages and my answers to them, the memories you gave me, your reminders, your personal settings and your usage of earlier days. It can't be undone, and it deletes nothing in Discord. Click the button to do it.`;

/** The button below it. */
export const forgetButton = "Forget me";

/** What was deleted. `elsewhere`: null where the rest can't be reached at all. */
export const forgottenText = (
  { messages, memories, reminders }: Forgotten,
  elsewhere: ForgottenElsewhere | null,
  reach: ForgetReach,
): string =>
  [
    `Forgot you in this channel: ${counted(messages, "message", "messages")}, ${counted(memories, "memory", "memories")}, ${counted(reminders, "reminder", "reminders")}, your personal settings and my notes about the channel.`,
    elsewhereText(elsewhere, reach),
    "Today's usage stays until midnight UTC, and so does an answer that is still being written. Other people's messages may mention you.",
  ].join("\n");

function elsewhereText(elsewhere: ForgottenElsewhere | null, reach: ForgetReach): string {
  const where = reach === "server" ? "of this server" : "outside servers";
  if (elsewhere === null)
    return `I can't reach the other channels ${where} now. Use \`/privacy forget\` again in a minute.`;
  const { channels, left } = elsewhere;
  const rest =
    left === 0 ? "" : ` ${counted(left, "channel is", "channels are")} still to come; I keep trying until it is done.`;
  return `Forgot you in ${counted(channels, "other channel", "other channels")} ${where}.${rest}`;
}

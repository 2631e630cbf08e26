// What people read when they ask to be forgotten.
import type { Forgotten } from "../state/rpc.ts";

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Asked before anything is deleted. */
export const forgetQuestion =
  "This deletes what I keep about you in this channel: your messages and my answers to them, the memories you gave me, your reminders, your personal settings and your usage of earlier days. It can't be undone, and it deletes nothing in Discord. Click the button to do it.";

/** The button below it. */
export const forgetButton = "Forget me here";

/** What was deleted. */
export const forgottenText = ({ messages, memories, reminders }: Forgotten): string =>
  [
    `Forgot you in this channel: ${counted(messages, "message", "messages")}, ${counted(memories, "memory", "memories")}, ${counted(reminders, "reminder", "reminders")}, your personal settings and my notes about the channel.`,
    "Today's usage stays until midnight UTC, and so does an answer that is still being written. Other people's messages may mention you.",
  ].join("\n");

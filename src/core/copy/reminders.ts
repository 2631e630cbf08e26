// What people read about their reminders.

import { withAsManyAsFit } from "../markdown/as-many-as-fit.ts";
import { shortened } from "../markdown/code-points.ts";
import type { CancelAnswer, PendingReminder } from "../state/rpc.ts";
import { fromNow } from "./durations.ts";

const MAX_SHOWN = 15;
const TEXT_CODE_POINTS = 60;

/** Lists the pending reminders, one line each, as many as fit into one message. `maySet`: the bot can set one here. */
export function remindersText(pending: readonly PendingReminder[], maySet = true): string {
  if (pending.length === 0) return `There are no reminders here.${maySet ? " Ask me to remind you of something." : ""}`;
  const lines = pending.map(reminderText);
  // The rule of a recurring one may be long.
  return withAsManyAsFit(Math.min(MAX_SHOWN, lines.length), (shown) => {
    const rest = lines.length - shown;
    return [
      ...lines.slice(0, shown),
      ...(rest > 0 ? [`… and ${rest} more.`] : []),
      "-# Cancel one with `/reminders cancel` and its number.",
    ].join("\n");
  });
}

function reminderText({ number, userId, text, dueAt, every, isPaused }: PendingReminder): string {
  const shown = shortened(text.replace(/\s+/g, " ").replaceAll("`", "'"), TEXT_CODE_POINTS);
  const due = isPaused
    ? "paused after it failed three times in a row. Ask me to set it again"
    : `due ${fromNow(dueAt)}`;
  return `${number}. \`${shown}\` for <@${userId}>${every === undefined ? "" : `, ${every}`}, ${due}`;
}

/** Says whether a reminder was canceled. */
export function cancelText(answer: CancelAnswer, number: number): string {
  switch (answer) {
    case "cancelled":
      return `Canceled reminder ${number}.`;
    case "not_found":
      return `There is no reminder ${number} here. See \`/reminders list\` for the numbers.`;
    case "not_yours":
      return `Reminder ${number} belongs to another person. Ask them or a moderator to cancel it.`;
  }
}

// What people read of their reminders.
import type { CancelAnswer, PendingReminder } from "../state/rpc.ts";

/** All of them go into one message. */
const MAX_SHOWN = 15;
const TEXT_CODE_POINTS = 60;

/** The reminders that are still to come, one line each. */
export function remindersText(pending: readonly PendingReminder[]): string {
  if (pending.length === 0) return "There are no reminders here. Ask me to remind you of something.";
  const rest = pending.length - MAX_SHOWN;
  return [
    ...pending.slice(0, MAX_SHOWN).map(reminderText),
    ...(rest > 0 ? [`… and ${rest} more.`] : []),
    "-# Cancel one with `/reminders cancel` and its number.",
  ].join("\n");
}

function reminderText({ number, userId, text, dueAt, every, isPaused }: PendingReminder): string {
  const letters = [...text.replace(/\s+/g, " ").replaceAll("`", "'")];
  const shown =
    letters.length > TEXT_CODE_POINTS ? `${letters.slice(0, TEXT_CODE_POINTS - 1).join("")}…` : letters.join("");
  const due = isPaused
    ? "paused after it failed three times in a row. Ask me to set it again"
    : `due <t:${Math.floor(dueAt / 1000)}:R>`;
  return `${number}. \`${shown}\` for <@${userId}>${every === undefined ? "" : `, ${every}`}, ${due}`;
}

/** What became of cancelling one. */
export function cancelText(answer: CancelAnswer, number: number): string {
  switch (answer) {
    case "cancelled":
      return `Cancelled reminder ${number}.`;
    case "not_found":
      return `There is no reminder ${number} here. See \`/reminders list\` for the numbers.`;
    case "not_yours":
      return `Reminder ${number} belongs to another person. Ask them or a moderator to cancel it.`;
  }
}

// Turns a due reminder into the request that its turn answers.
import type { TurnRequest } from "./record.ts";
import { NOTHING_TO_REPORT, type RecurringTask } from "./recurring-task.ts";

const MINUTE_MS = 60_000;

/** Where a reminder was set and by whom, for its turn. */
export type ReminderOrigin = Pick<
  TurnRequest,
  "applicationId" | "channelId" | "guildId" | "userName" | "locale" | "roles" | "ageRestricted" | "taint"
>;

interface Due {
  number: number;
  userId: string;
  text: string;
  dueAt: number;
  setAt: number;
  heldSince?: number;
  task?: RecurringTask;
}

/**
 * Builds the request of a reminder's turn. It has none of the person's permissions, which are read when the turn begins. The id must differ
 * from those of other channels, because nothing else separates the nonces of a bot's messages in Discord, and may have at most 22
 * characters, because a nonce has 25. Each run of a task has its own id, and so does a reminder that was held back.
 */
export function dueReminder(
  { number, userId, text, dueAt, setAt, heldSince, task }: Due,
  origin: ReminderOrigin,
  now: number,
): TurnRequest {
  const set = new Date(setAt).toISOString().slice(0, 16).replace("T", " ");
  const time = task || heldSince ? `-${Math.floor((dueAt - setAt) / MINUTE_MS).toString(36)}` : "";
  const [what, due] = task ? ["recurring task", `due now (${task.every})`] : ["reminder", "due now"];
  const silence = task ? ` If there is nothing to report, answer only ${NOTHING_TO_REPORT}: it is not posted.` : "";
  return {
    ...origin,
    interactionId: `r${number}-${setAt.toString(36)}${time}`,
    token: null,
    receivedAt: now,
    userId,
    moderator: false,
    permissions: [],
    botIsHere: true,
    reminder: {
      text,
      dueAt: heldSince ?? task?.heldSince ?? dueAt,
      ...(task ? { task: { number, every: task.every } } : { number }),
    },
    text: `(This is no message but a ${what} that ${origin.userName} set on ${set} UTC and that is ${due}: ${JSON.stringify(text)}. Remind ${origin.userName} of it in one short sentence; if it asks you for something, do it now.${silence})`,
  };
}

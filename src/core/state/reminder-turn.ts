// A due reminder as the request that its turn answers.
import type { TurnRequest } from "./record.ts";

interface Due {
  number: number;
  userId: string;
  text: string;
  dueAt: number;
  setAt: number;
}

/**
 * Builds the request of a reminder's turn. It has none of the person's permissions, which may have changed since. The id
 * differs from those of other channels, because nothing else separates the nonces of a bot's messages in Discord.
 */
export function dueReminder(
  { number, userId, text, dueAt, setAt }: Due,
  origin: Pick<
    TurnRequest,
    "applicationId" | "channelId" | "guildId" | "userName" | "locale" | "roles" | "ageRestricted" | "taint"
  >,
  now: number,
): TurnRequest {
  const set = new Date(setAt).toISOString().slice(0, 16).replace("T", " ");
  return {
    ...origin,
    interactionId: `r${number}-${setAt.toString(36)}`,
    token: null,
    receivedAt: now,
    userId,
    moderator: false,
    permissions: [],
    botIsHere: true,
    reminder: { text, dueAt },
    text: `(This is no message but a reminder that ${origin.userName} set on ${set} UTC and that is due now: ${JSON.stringify(text)}. Remind ${origin.userName} of it in one short sentence; if it asks you for something, do it now.)`,
  };
}

// Who the bot is, among the authors of messages. Types only.

/** Ourselves. An application of Discord's first years has another id than its bot's user. */
export interface Self {
  userId: string;
  applicationId: string;
}

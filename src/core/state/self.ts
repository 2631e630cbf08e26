// Who the bot is, among the authors of messages. Types only.

/** The bot itself. An application from Discord's first years has a different id than its bot's user. */
export interface Self {
  userId: string;
  applicationId: string;
}

// Reads the id of the bot's own user from its token.

/** A Discord id (docs: reference, "Snowflakes"). */
const ID = /^\d{15,20}$/;

/**
 * Returns the id of the user that a bot's token is for; null if it can't be read. A token begins with it in base64
 * (https://github.com/discord/discord-api-docs/issues/2787). Only applications from Discord's first years have a different id than their bot.
 */
export function readBotUser(token: string | null): string | null {
  try {
    const id = atob(token?.split(".")[0] ?? "");
    return ID.test(id) ? id : null;
  } catch {
    return null;
  }
}

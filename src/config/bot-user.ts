// The bot's own user, as its token names it.

/** An id of Discord's (docs: reference, "Snowflakes"). */
const ID = /^\d{15,20}$/;

/**
 * The id of the user that a bot's token is for; null where it can't be read. A token begins with it in base64
 * (https://github.com/discord/discord-api-docs/issues/2787). Only applications of Discord's first years have another id than their bot.
 */
export function readBotUser(token: string | null): string | null {
  try {
    const id = atob(token?.split(".")[0] ?? "");
    return ID.test(id) ? id : null;
  } catch {
    return null;
  }
}

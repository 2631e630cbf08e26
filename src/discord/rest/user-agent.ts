// How we identify ourselves to Discord. Without a User-Agent of this form, its proxy may block a request (code 40333).

/** Returns the User-Agent of every request to Discord. */
export const userAgent = (version: string): string => `DiscordBot (https://github.com/parley-bot/parley, ${version})`;

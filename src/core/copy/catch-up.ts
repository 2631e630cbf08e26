// What people read when /catch-up gives no answer.

import { CATCH_UP_HOURS } from "../limits.ts";

/** Why the channel can't be read for a person. */
export type Unreadable = "no_token" | "not_a_member" | "asker" | "bot";

/** The sentence for each reason. */
export const unreadableText: Record<Unreadable, string> = {
  no_token:
    "I can't read what was said here because I run without a bot token. Ask the bot's owner to set `DISCORD_BOT_TOKEN`.",
  not_a_member:
    "I can't read what was said here because I'm not a member here. Use `/catch-up` in a server that has added me.",
  asker:
    "I only sum up what you can read yourself, and you don't have the View Channel and Read Message History permissions here. Ask a moderator.",
  bot: "I can't read what was said here because I lack the View Channel or Read Message History permission in this channel. Ask someone who manages it.",
};

/** The question that a /catch-up turn answers, as the channel's object stores it. */
export const CATCH_UP_QUESTION = "What did I miss here?";

/** Says that nothing was said. `hours`: how far back we looked; null: to the person's own last message. */
export const nothingMissed = (hours: number | null): string =>
  hours === null
    ? "Nothing has been said here since your last message. To look further back, use `/catch-up` with a number of hours."
    : `Nothing has been said here in the last ${hours === 1 ? "hour" : `${hours} hours`}.${hours < CATCH_UP_HOURS ? " To look further back, use `/catch-up` with more hours." : ""}`;

/** Everything is hidden from the bot. */
export const allHidden =
  "I can't read what people wrote here because I don't have Discord's Message Content intent. Ask the bot's owner to turn it on.";

/** Discord did not let us read. Interactions don't show whether a server added the bot or only its commands. */
export const unreadNow =
  "I couldn't read this channel's messages just now. Try again in a moment. If that doesn't help, this server may have only my commands: then it must add me.";

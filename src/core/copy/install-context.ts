// Says what can't be done in the place that a request comes from.
import type { InstallContext } from "../state/install-context.ts";

/** Returns sentences about what is missing in a place; none if everything works. */
export function missingIn(context: InstallContext, hasBotToken: boolean): string[] {
  const missing = PLACES[context.kind === "server" ? (context.isMember ? "server" : "foreign_server") : context.kind];
  return [...(missing ? [missing] : []), ...(hasBotToken || context.kind === "private_channel" ? [] : [NO_TOKEN])];
}

const PLACES = {
  server: null,
  foreign_server:
    "This server has not added me, and you use me here through your own account. I see only what you send me with a command. I can't read or pin messages, add reactions, open threads, post polls, set reminders or keep a thought log here. Ask someone with the Manage Server permission to add me.",
  own_dm: "Direct messages have no roles, no threads and no thought log.",
  private_channel:
    "I'm not a member of this conversation, so I see only what you send me with a command. I can't read or pin messages, add reactions, post polls, set reminders or keep a thought log here.",
} as const;

const NO_TOKEN =
  "I run without a bot token, so these are off: reading and pinning messages, reactions, threads, polls, reminders and the thought log. Ask the bot's owner to set `DISCORD_BOT_TOKEN`.";

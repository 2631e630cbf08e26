// What can't be done where a request comes from, in words.
import type { InstallContext } from "../state/install-context.ts";

/** A sentence per thing that is missing in a place, for people; none where everything works. */
export function missingIn(context: InstallContext, hasBotToken: boolean): string[] {
  const missing = PLACES[context.kind === "server" ? (context.isMember ? "server" : "foreign_server") : context.kind];
  return [...(missing ? [missing] : []), ...(hasBotToken || context.kind === "private_channel" ? [] : [NO_TOKEN])];
}

const PLACES = {
  server: null,
  foreign_server:
    "This server has not added me; you brought me along. So I see only what you hand me with a command, and can't read or pin messages, react, open threads, remind, or post a thought log here. Somebody with Manage Server can add me.",
  own_dm: "In a direct message there are no roles, no threads and no thought log.",
  private_channel:
    "I am no member of this conversation, so I see only what you hand me with a command, and can't read or pin messages, react, remind, or keep a thought log here.",
} as const;

const NO_TOKEN =
  "I run without a bot token, so what needs one is off: reading and pinning messages, reactions, threads, reminders, the thought log. Whoever runs me can set `DISCORD_BOT_TOKEN`.";

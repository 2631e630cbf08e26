// Where a request comes from, and what can't be done there. Discord gives an app different powers in a server that
// installed it, in a server where a person brought it along, in its own direct messages and in those between people.

/** `isMember`: the server itself installed us; else a person uses us there. */
export type InstallContext = { kind: "server"; isMember: boolean } | { kind: "own_dm" } | { kind: "private_channel" };

/**
 * Is there no server around this channel? True in the bot's own direct messages and in conversations between people, with one
 * person or in a group ("own_dm" and "private_channel"): in both, Discord names no guild.
 */
export const isOutsideServer = ({ guildId }: { guildId: string | null }): boolean => guildId === null;

/** Can the bot's own token reach the channel there? */
export const isBotMember = (context: InstallContext): boolean =>
  context.kind === "server" ? context.isMember : context.kind === "own_dm";

/** One sentence for people per thing that is missing here; empty where everything works. */
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

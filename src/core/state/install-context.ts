// Where a request comes from. Discord gives an app different powers in a server that installed it, in a server where a person brought it
// along, in its own direct messages, and in conversations between people. What is missing where is said by copy/install-context.ts.

/** `isMember`: the server itself installed us; else a person uses us there. */
export type InstallContext = { kind: "server"; isMember: boolean } | { kind: "own_dm" } | { kind: "private_channel" };

/**
 * Is there no server around this channel? True in the bot's own direct messages and in conversations between people, with one
 * person or in a group ("own_dm" and "private_channel"): in both, Discord names no guild.
 */
export const isOutsideServer = ({ guildId }: { guildId: string | null }): boolean => guildId === null;

/** Is this a conversation between people, which no one moderates? There only the asker has power over a turn. */
export const isBetweenPeople = ({ guildId, botIsHere }: { guildId: string | null; botIsHere?: boolean }): boolean =>
  guildId === null && botIsHere === false;

/** Can the bot's own token reach the channel there? */
export const isBotMember = (context: InstallContext): boolean =>
  context.kind === "server" ? context.isMember : context.kind === "own_dm";

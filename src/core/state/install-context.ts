// Where a request comes from. Discord gives an app different powers in a server that installed it, in a server where a person brought it
// along, in its own direct messages, and in conversations between people. copy/install-context.ts says what is unavailable where.

/** `isMember`: the server itself added us; otherwise a person brought us along. */
export type InstallContext = { kind: "server"; isMember: boolean } | { kind: "own_dm" } | { kind: "private_channel" };

/**
 * Whether this channel is in no server: one of the bot's own direct messages, or a conversation between people, with one
 * person or in a group ("own_dm" and "private_channel"). Discord names no guild in either.
 */
export const isOutsideServer = ({ guildId }: { guildId: string | null }): boolean => guildId === null;

/** Whether this is a conversation between people, which no one moderates. There only the asker controls a turn. */
export const isBetweenPeople = ({ guildId, botIsHere }: { guildId: string | null; botIsHere?: boolean }): boolean =>
  guildId === null && botIsHere === false;

/** Whether the bot's own token can reach the channel. */
export const isBotMember = (context: InstallContext): boolean =>
  context.kind === "server" ? context.isMember : context.kind === "own_dm";

// Where a request comes from. Discord gives an application different powers in a server that installed it, in one whose member
// brought it along, in its own direct messages and in those between people; copy/install-context.ts says what is missing there.

/** `isMember`: the server itself installed us; else one of its people uses us there. */
export type InstallContext = { kind: "server"; isMember: boolean } | { kind: "own_dm" } | { kind: "private_channel" };

/** Does the bot's own token open the channel there? */
export const isBotMember = (context: InstallContext): boolean =>
  context.kind === "server" ? context.isMember : context.kind === "own_dm";

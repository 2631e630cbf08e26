// The link with which a person adds the bot to a server, and the permissions that it asks for.

/**
 * View Channels, Send Messages (also in threads), Embed Links, Attach Files, Read Message History, Add Reactions, Create Public Threads,
 * Create Polls, Pin Messages, and Manage Webhooks for the voices of personas (Discord, topics/permissions). A string, because the number is
 * too large for JSON.
 */
export const PERMISSIONS = String(
  [10n, 11n, 38n, 14n, 15n, 16n, 6n, 35n, 49n, 51n, 29n].reduce((set, bit) => set | (1n << bit), 0n),
);

/** Returns the link. Whoever opens it needs Manage Server in the server that they choose. */
export const inviteLink = (applicationId: string): string =>
  `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot%20applications.commands&permissions=${PERMISSIONS}&integration_type=0`;

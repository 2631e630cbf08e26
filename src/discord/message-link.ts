// The addresses of Discord's messages, as people copy them and as we show them.

const LINK = /\/channels\/(?:\d{17,20}|@me)\/(\d{17,20})\/(\d{17,20})\/?$/;

/** Builds the address of a message; outside a server Discord writes `@me` for the server. */
export const buildMessageLink = (guildId: string | null, channelId: string, messageId: string): string =>
  `https://discord.com/channels/${guildId ?? "@me"}/${channelId}/${messageId}`;

/** Reads the channel and the message from an address; null if it isn't the address of a message. */
export function readMessageLink(text: string): { channelId: string; messageId: string } | null {
  const [, channelId, messageId] = text.match(LINK) ?? [];
  return channelId === undefined || messageId === undefined ? null : { channelId, messageId };
}

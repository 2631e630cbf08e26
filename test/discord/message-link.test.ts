// The addresses of Discord's messages.
import { expect, it } from "vitest";
import { buildMessageLink, readMessageLink } from "../../src/discord/message-link.ts";

const [SERVER, channelId, messageId] = ["1300000000000000001", "1300000000000000011", "1300000000000000099"];

it.each([
  ["in a server", SERVER, SERVER],
  ["outside servers", null, "@me"],
])("a message %s has an address in Discord's form, which can be read back", (_, guildId, place) => {
  const link = buildMessageLink(guildId, channelId, messageId);
  expect(link).toBe(`https://discord.com/channels/${place}/${channelId}/${messageId}`);
  expect(readMessageLink(link)).toEqual({ channelId, messageId });
});

it.each([
  ["of a channel", `https://discord.com/channels/${SERVER}/${channelId}`],
  ["of something else", `https://example.org/${SERVER}/${channelId}/${messageId}`],
  ["nothing", ""],
])("an address %s is not that of a message", (_, link) => {
  expect(readMessageLink(link)).toBeNull();
});

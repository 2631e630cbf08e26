// The names of what a question mentions: Discord brings those of people along, those of roles and channels are read.
import { mentionsIn } from "../../src/core/transcript/names.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import type { Channel } from "../live-channel.ts";

/** More channels than a question usually names are not asked for. */
const MAX_CHANNELS = 3;

/**
 * Reads the names that are missing; one that can't be had is left out, and so is a channel's outside this server, which the bot may see and
 * its asker not. Never throws.
 */
export async function readMentionNames(
  { hearing: { facts } }: Channel,
  { names = {}, place }: GatewayMessage,
  text: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const read = { ...names };
  if (!("guildId" in place)) return read;
  const { guildId } = place;
  const keys = mentionsIn(text);
  const channels = keys.filter((key) => key.startsWith("#")).slice(0, MAX_CHANNELS);
  await Promise.all(
    channels.map(async (key) => {
      const channel = await facts.channel(key.slice(1), signal);
      if (channel?.name != null && channel.guildId === guildId) read[key] = channel.name;
    }),
  );
  const roles = keys.filter((key) => key.startsWith("&"));
  const guild = roles.length > 0 ? await facts.guild(guildId, signal) : null;
  for (const key of roles) {
    const name = guild?.roleNames.get(key.slice(1));
    if (name !== undefined) read[key] = name;
  }
  return read;
}

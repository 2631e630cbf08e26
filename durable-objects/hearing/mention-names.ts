// Reads the names of what a question mentions: Discord brings people's names along; those of roles and channels are read.
import { mentionsIn } from "../../src/core/transcript/names.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import type { Channel } from "../live-channel.ts";

/** At most so many channels are looked up: more than a question usually names. */
const MAX_CHANNELS = 3;

/**
 * Reads the missing names. Leaves out names that can't be read, and those of channels outside this server, which the bot may see but the
 * asker may not. Never throws.
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

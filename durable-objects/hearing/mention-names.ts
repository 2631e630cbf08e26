// The names of what a question mentions: Discord brings those of people along, those of roles and channels are read.
import { mentionsIn } from "../../src/core/transcript/names.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import type { Channel } from "../live-channel.ts";

/** More channels than a question usually names are not asked for. */
const MAX_CHANNELS = 3;

/** Reads the names that are missing; one that can't be had is left out. Never throws. */
export async function readMentionNames(
  { hearing: { facts } }: Channel,
  { names = {}, place }: GatewayMessage,
  text: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const keys = mentionsIn(text);
  const read = { ...names };
  const channels = keys.filter((key) => key.startsWith("#")).slice(0, MAX_CHANNELS);
  await Promise.all(
    channels.map(async (key) => {
      const name = (await facts.channel(key.slice(1), signal))?.name;
      if (name != null) read[key] = name;
    }),
  );
  const roles = keys.filter((key) => key.startsWith("&"));
  const guild = roles.length > 0 && "guildId" in place ? await facts.guild(place.guildId, signal) : null;
  for (const key of roles) {
    const name = guild?.roleNames.get(key.slice(1));
    if (name !== undefined) read[key] = name;
  }
  return read;
}

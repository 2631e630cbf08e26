// Finds the channel that thoughts are posted to. It must be in the same server, and the person who set it must see it. This is checked when it is
// set and whenever something is posted, because roles and channels change.
import { THOUGHT_LOG_SETTER } from "../../src/channel/settings.ts";
import type { ChannelSight, SightQuestion } from "../../src/discord/rest/channel-access.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { effectiveSettings, settingsInput } from "./effective-settings.ts";

/** What is needed to ask Discord who sees a channel. */
export type SightPorts = Pick<ChannelPorts, "seeChannel"> & { timers: Pick<ChannelPorts["timers"], "after"> };

const KEY = "thought_log_channel";
/** Discord waits 3 s for our answer. */
const CHECK_LIMIT_MS = 1500;

/** Finds the channel for the thoughts of turns in this server, or why it may not be used; null if none is set. */
export async function findThoughtLog(
  ports: SightPorts & Pick<ChannelPorts, "store" | "config">,
  guildId: string,
): Promise<{ channelId: string } | Exclude<ChannelSight, "visible"> | null> {
  const { [KEY]: channelId } = effectiveSettings(ports);
  if (channelId === null) return null;
  const { own, parent, server } = settingsInput(ports);
  const setIn = [own, parent].find((stored) => stored[KEY] !== undefined) ?? server;
  const { [THOUGHT_LOG_SETTER]: userId = null } = setIn;
  const sight = await seeInTime(ports, { channelId, guildId, userId });
  return sight === "visible" ? { channelId } : sight;
}

/** Whether a person can see a channel, if Discord says so in time. */
export async function seeInTime({ seeChannel, timers }: SightPorts, question: SightQuestion): Promise<ChannelSight> {
  if (!seeChannel) return "unchecked";
  const waiting = new AbortController();
  const cancel = timers.after(CHECK_LIMIT_MS, () => waiting.abort());
  try {
    return await seeChannel(question, waiting.signal);
  } finally {
    cancel();
  }
}

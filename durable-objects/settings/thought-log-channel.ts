// Which channel thoughts go to: only one of the same server that the person who set it can see. Checked when it is set and again
// whenever something is posted, because roles and channels change.
import { settingRules } from "../../src/channel/settings.ts";
import { thoughtLogRefusal } from "../../src/core/copy/settings.ts";
import type { SettingAnswer, SettingChange } from "../../src/discord/answers/channel-port.ts";
import type { ChannelSight, SightQuestion } from "../../src/discord/rest/channel-access.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { changeSetting, effectiveSettings, noteParent } from "./effective-settings.ts";

type Ports = Pick<ChannelPorts, "store" | "config" | "seeChannel"> & { timers: Pick<ChannelPorts["timers"], "after"> };

const KEY = "thought_log_channel";
/** The person who set it, stored beside the setting; rows of an older program have none. */
const SETTER = "thought_log_setter";
/** Discord waits 3 s for our answer. */
const CHECK_LIMIT_MS = 1500;

/** Sets or clears one setting. Refuses a channel for thoughts that the person can't see, or that can't be checked. */
export async function changeCheckedSetting(ports: Ports, change: SettingChange): Promise<SettingAnswer> {
  const { key, by } = change;
  const channelId = change.value === null ? null : (settingRules[KEY].read(change.value.trim(), []) ?? null);
  if (key === KEY && channelId !== null) {
    const { userId, guildId = null } = by ?? { userId: null };
    const sight = userId === null || guildId === null ? "unchecked" : await see(ports, { channelId, guildId, userId });
    if (sight !== "visible") return { ok: false, rule: thoughtLogRefusal(sight) };
  }
  return ports.store.transaction(() => {
    noteParent(ports, change.parentSettings);
    const answer = changeSetting(ports, change);
    if (answer.ok && key === KEY) ports.store.putSetting(SETTER, channelId === null ? null : (by?.userId ?? null));
    return answer;
  });
}

/** The channel for the thoughts of turns in this server, or why there is none: nothing is set, or it may not be used. */
export async function findThoughtLog(
  ports: Ports,
  guildId: string,
): Promise<{ channelId: string } | Exclude<ChannelSight, "visible"> | null> {
  const { store } = ports;
  const { [KEY]: channelId } = effectiveSettings(ports);
  if (channelId === null) return null;
  const own = store.settings();
  const { [SETTER]: userId = null } = own[KEY] === undefined ? store.parentSettings() : own;
  const sight = await see(ports, { channelId, guildId, userId });
  return sight === "visible" ? { channelId } : sight;
}

async function see({ seeChannel, timers }: Ports, question: SightQuestion): Promise<ChannelSight> {
  if (!seeChannel) return "unchecked";
  const waiting = new AbortController();
  const cancel = timers.after(CHECK_LIMIT_MS, () => waiting.abort());
  try {
    return await seeChannel(question, waiting.signal);
  } finally {
    cancel();
  }
}

// Which channel thoughts go to: only one of the same server that the person who set it can see. Checked when it is set and again
// whenever something is posted, because roles and channels change.
import { settingRules, THOUGHT_LOG_SETTER } from "../../src/channel/settings.ts";
import { thoughtLogRefusal } from "../../src/core/copy/settings.ts";
import type { SettingAnswer, SettingChange } from "../../src/discord/answers/channel-port.ts";
import type { ChannelSight, SightQuestion } from "../../src/discord/rest/channel-access.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import {
  changeSetting,
  checkSetting,
  effectiveSettings,
  noteParent,
  noteScope,
  settingsInput,
} from "./effective-settings.ts";

type Ports = Pick<ChannelPorts, "store" | "config" | "seeChannel"> & { timers: Pick<ChannelPorts["timers"], "after"> };

const KEY = "thought_log_channel";
/** Discord waits 3 s for our answer. */
const CHECK_LIMIT_MS = 1500;

/** Sets or clears one setting. Refuses a channel for thoughts that the person can't see, or that can't be checked. */
export async function changeCheckedSetting(
  ports: Ports & Pick<ChannelPorts, "settingHistory" | "clock">,
  change: SettingChange,
): Promise<SettingAnswer> {
  const rule = await ruleAgainst(ports, change);
  if (rule !== null) return { ok: false, rule };
  return ports.store.transaction(() => {
    noteParent(ports, change.parentSettings);
    noteScope(ports, change.scope);
    return changeSetting(ports, change);
  });
}

/** The rule that a change breaks, or null. Changes nothing. */
export async function ruleAgainst(ports: Ports, change: SettingChange): Promise<string | null> {
  const { key, value, by } = change;
  const checked = checkSetting(ports, change);
  if (!checked.ok) return checked.rule;
  const channelId = key === KEY && value !== null ? (settingRules[KEY].read(value.trim(), []) ?? null) : null;
  if (channelId === null) return null;
  const { userId, guildId = null } = by ?? { userId: null };
  const sight = userId === null || guildId === null ? "unchecked" : await see(ports, { channelId, guildId, userId });
  return sight === "visible" ? null : thoughtLogRefusal(sight);
}

/** The channel for the thoughts of turns in this server, or why there is none: nothing is set, or it may not be used. */
export async function findThoughtLog(
  ports: Ports,
  guildId: string,
): Promise<{ channelId: string } | Exclude<ChannelSight, "visible"> | null> {
  const { [KEY]: channelId } = effectiveSettings(ports);
  if (channelId === null) return null;
  const { own, parent, server } = settingsInput(ports);
  const setIn = [own, parent].find((stored) => stored[KEY] !== undefined) ?? server;
  const { [THOUGHT_LOG_SETTER]: userId = null } = setIn;
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

// Changes one setting of this channel, if neither a rule nor Discord forbids the value.
import { type CheckedChange, checkChange } from "../../src/channel/check-change.ts";
import { explainSetting } from "../../src/channel/explain-settings.ts";
import { settingRules, THOUGHT_LOG_SETTER } from "../../src/channel/settings.ts";
import { isModelFor } from "../../src/core/access/model-choice.ts";
import { thoughtLogRefusal } from "../../src/core/copy/settings.ts";
import type { SettingAnswer, SettingChange } from "../../src/discord/answers/channel-port.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { notePlace, replanRetention, settingsInput } from "./effective-settings.ts";
import { type SightPorts, seeInTime } from "./thought-log-channel.ts";

type SettingsPorts = Pick<ChannelPorts, "store" | "config">;
type ChangingPorts = SettingsPorts & Pick<ChannelPorts, "settingHistory" | "clock">;

/** Sets or clears one setting. Refuses a thought channel that the person can't see, or that can't be checked. */
export async function changeCheckedSetting(
  ports: SightPorts & ChangingPorts,
  change: SettingChange,
): Promise<SettingAnswer> {
  const rule = await ruleAgainst(ports, change);
  if (rule !== null) return { ok: false, rule };
  return ports.store.transaction(() => {
    notePlace(ports, change);
    return changeSetting(ports, change);
  });
}

/** Returns the rule that a change breaks, or null. Changes nothing. */
export async function ruleAgainst(ports: SightPorts & SettingsPorts, change: SettingChange): Promise<string | null> {
  const { key, value, by } = change;
  const checked = checkSetting(ports, change);
  if (!checked.ok) return checked.rule;
  const channelId =
    key === "thought_log_channel" && value !== null ? (settingRules[key].read(value.trim(), []) ?? null) : null;
  if (channelId === null) return null;
  const sight = by?.guildId
    ? await seeInTime(ports, { channelId, guildId: by.guildId, userId: by.userId })
    : "unchecked";
  return sight === "visible" ? null : thoughtLogRefusal(sight);
}

/** Returns what a change would store, or the rule that it breaks. */
const checkSetting = ({ config }: SettingsPorts, { key, value, by }: SettingChange): CheckedChange =>
  checkChange(key, value, modelIdsFor(config, by ? by.guildId : undefined));

/**
 * Sets or clears one setting and records who did, within the caller's transaction. Returns its new value, or the rule that refused it.
 * Repeating an interaction changes nothing more.
 */
function changeSetting(ports: ChangingPorts, change: SettingChange): SettingAnswer {
  const { store, settingHistory, clock } = ports;
  const { interactionId, by } = change;
  const checked = checkSetting(ports, change);
  if (!checked.ok) return checked;
  const { key, text } = checked;
  const old = store.settings()[key] ?? null;
  const userId = by?.userId ?? null;
  const isKnown = interactionId !== undefined && settingHistory.knows(interactionId);
  // Whoever sets the channel, even to the same one, must be able to see it from now on.
  if (!isKnown && key === "thought_log_channel") store.putSetting(THOUGHT_LOG_SETTER, text === null ? null : userId);
  if (!isKnown && old !== text) {
    store.putSetting(key, text);
    if (key === "keep_days") replanRetention(store);
    if (interactionId !== undefined)
      settingHistory.record(interactionId, { at: clock(), by: userId, key, old, new: text });
  }
  return { ok: true, now: explainSetting(key, settingsInput(ports)) };
}

/** Returns the ids of the models that turns of this server may use; all of them if it is undefined. */
const modelIdsFor = ({ models }: SettingsPorts["config"], guildId: string | null | undefined): string[] =>
  models.filter((model) => guildId === undefined || isModelFor(model, guildId)).map(({ id }) => id);

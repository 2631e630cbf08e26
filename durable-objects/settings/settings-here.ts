// The settings that hold in this object's channel: its own, and what its last requests told of the parent's. Kept, so that work
// which no request begins (a queued turn, a reminder, a new life) obeys them as well.
import {
  checkChange,
  explainSetting,
  resolveSettings,
  type Settings,
  type SettingsInput,
  type StoredSettings,
} from "../../src/channel/settings.ts";
import { MAX_GUEST_MESSAGES } from "../../src/core/limits.ts";
import type { Trigger } from "../../src/core/state/record.ts";
import type { SettingAnswer, SettingChange } from "../../src/discord/answers/channel-port.ts";
import type { ChannelParts } from "../parts.ts";

type Parts = Pick<ChannelParts, "store" | "config">;

/** What holds now. */
export const settingsHere = (parts: Parts): Settings => resolveSettings(settingsInput(parts));

/** What was set here and in the parent, and the models to choose from. */
export const settingsInput = ({ store, config }: Parts): SettingsInput => ({
  own: store.settings(),
  parent: store.parentSettings(),
  modelIds: config.models.map(({ id }) => id),
});

/** How many messages the answer to this one may take here. */
export function maxMessagesHere(parts: Parts, { botIsHere }: Trigger): number {
  const { max_messages } = settingsHere(parts);
  return botIsHere === false ? Math.min(max_messages, MAX_GUEST_MESSAGES) : max_messages;
}

/** The models in the order in which they are tried here: the one that was set first, then the others. */
export function modelsHere(parts: Parts & Pick<ChannelParts, "models">): ChannelParts["models"] {
  const { model } = settingsHere(parts);
  const first = parts.models[parts.config.models.findIndex(({ id }) => id === model)];
  return first ? [first, ...parts.models.filter((one) => one !== first)] : parts.models;
}

/** Notes what is set in the parent, within the caller's transaction; a row is written only where that has changed. */
export function noteParent({ store }: Parts, settings: StoredSettings | undefined): void {
  if (settings === undefined || isSame(settings, store.parentSettings())) return;
  store.saveParentSettings(settings);
}

/** Sets or clears one setting, within the caller's transaction; tells what holds then, or keeps all and tells the rule. */
export function changeSetting(parts: Parts, { key, value }: SettingChange): SettingAnswer {
  const checked = checkChange(key, value, settingsInput(parts).modelIds);
  if (!checked.ok) return checked;
  parts.store.putSetting(checked.key, checked.text);
  return { ok: true, now: explainSetting(checked.key, settingsInput(parts)) };
}

const isSame = (one: StoredSettings, other: StoredSettings): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);

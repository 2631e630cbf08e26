// The settings that apply in this channel: its own, and its parent's and its server's as the last requests reported them. These are
// stored, so that work without a request (a queued turn, a reminder, a takeover) follows them too.
import {
  checkChange,
  explainSetting,
  resolveSettings,
  type Settings,
  type SettingsInput,
  type StoredSettings,
} from "../../src/channel/settings.ts";
import { MAX_GUEST_MESSAGES } from "../../src/core/limits.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { ScopeNote } from "../../src/core/state/rpc.ts";
import type { SettingAnswer, SettingChange } from "../../src/discord/answers/channel-port.ts";
import type { ChannelPorts } from "../channel-ports.ts";

type SettingsPorts = Pick<ChannelPorts, "store" | "config">;

/** The settings that apply now. */
export const effectiveSettings = (ports: SettingsPorts): Settings => resolveSettings(settingsInput(ports));

/** The stored settings of this channel, its parent and its server, and the models to choose from. */
export const settingsInput = ({ store, config }: SettingsPorts): SettingsInput => ({
  own: store.settings(),
  parent: store.parentSettings(),
  server: store.scopeNote()?.settings ?? {},
  modelIds: config.models.map(({ id }) => id),
});

/** How many messages the answer to this request may use here. */
export function maxMessagesPerReply(ports: SettingsPorts, { botIsHere }: TurnRequest): number {
  const { max_messages } = effectiveSettings(ports);
  return botIsHere === false ? Math.min(max_messages, MAX_GUEST_MESSAGES) : max_messages;
}

/** The models in the order in which they are tried here: the chosen one first, then the others. */
export function orderedModels(ports: SettingsPorts & Pick<ChannelPorts, "models">): ChannelPorts["models"] {
  const { model } = effectiveSettings(ports);
  const first = ports.models[ports.config.models.findIndex(({ id }) => id === model)];
  return first ? [first, ...ports.models.filter((one) => one !== first)] : ports.models;
}

/** Stores the parent's settings, within the caller's transaction. Writes a row only when they have changed. */
export function noteParent({ store }: SettingsPorts, settings: StoredSettings | undefined): void {
  if (settings === undefined || isSame(settings, store.parentSettings())) return;
  const isKeptOtherwise = settings.keep_days !== store.parentSettings().keep_days;
  store.saveParentSettings(settings);
  if (isKeptOtherwise) replanRetention(store);
}

/** Stores what the scope of this place says, within the caller's transaction. Writes a row only when it has changed. */
export function noteScope({ store }: SettingsPorts, note: ScopeNote | undefined): void {
  const known = store.scopeNote();
  if (note === undefined || (known?.isLimited === note.isLimited && isSame(note.settings, known.settings))) return;
  store.saveScopeNote(note);
  if (note.settings.keep_days !== known?.settings.keep_days) replanRetention(store);
}

/** What is kept may be too old already: looks soon, within the caller's transaction. */
function replanRetention(store: ChannelPorts["store"]): void {
  const lock = store.lock();
  if (lock.retentionAt != null) store.saveLock({ ...lock, retentionAt: 0 });
}

/** Sets or clears one setting, within the caller's transaction. Returns its new value, or the rule that refused it. */
export function changeSetting(ports: SettingsPorts, { key, value }: SettingChange): SettingAnswer {
  const checked = checkChange(key, value, settingsInput(ports).modelIds);
  if (!checked.ok) return checked;
  ports.store.putSetting(checked.key, checked.text);
  if (checked.key === "keep_days") replanRetention(ports.store);
  return { ok: true, now: explainSetting(checked.key, settingsInput(ports)) };
}

const isSame = (one: StoredSettings, other: StoredSettings): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);

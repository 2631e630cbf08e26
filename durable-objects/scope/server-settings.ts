// Changes the settings of a server, which its channels inherit, and records who changed them.
import { checkChange } from "../../src/channel/check-change.ts";
import { CHANGED_AT, changedAt, type StoredSettings, THOUGHT_LOG_SETTER } from "../../src/channel/settings.ts";
import type { ServerSettingAnswer, ServerSettingChange } from "../../src/discord/answers/scope-port.ts";
import type { ScopePorts } from "./scope-ports.ts";

/** Sets or clears one setting, in one transaction. A bad value is refused with its rule. Repeating an interaction changes nothing more. */
export function changeServerSetting(
  { store, settingHistory, modelIds, clock }: ScopePorts,
  { interactionId, key, value, by }: ServerSettingChange,
): ServerSettingAnswer {
  const checked = checkChange(key, value, modelIds);
  if (!checked.ok) return checked;
  const { key: setting, text } = checked;
  return store.transaction(() => {
    const before: StoredSettings = store.settings();
    const old = before[setting] ?? null;
    const isKnown = settingHistory.knows(interactionId);
    // Whoever sets the channel, even to the same one, must be able to see it from now on.
    const namesSetter = !isKnown && setting === "thought_log_channel";
    if (namesSetter) store.putSetting(THOUGHT_LOG_SETTER, text === null ? null : by);
    if (namesSetter || (!isKnown && old !== text)) noteChange({ store, clock });
    if (!isKnown && old !== text) {
      store.putSetting(setting, text);
      settingHistory.record(interactionId, { at: clock(), by, key: setting, old, new: text });
    }
    const settings = store.settings();
    return { ok: true, key: setting, text: settings[setting] ?? null, settings };
  });
}

/** Notes, within the caller's transaction, that the settings and the lists sent with them are newer than every copy. */
export function noteChange({ store, clock }: Pick<ScopePorts, "store" | "clock">): void {
  store.putSetting(CHANGED_AT, String(Math.max(clock(), changedAt(store.settings()) + 1)));
}

// The settings of a server, which its channels inherit, and who changed them.
import { checkChange, type StoredSettings, THOUGHT_LOG_SETTER } from "../../src/channel/settings.ts";
import type { ServerSettingAnswer, ServerSettingChange } from "../../src/discord/answers/scope-port.ts";
import type { ScopePorts } from "./scope-ports.ts";

/** Sets or clears one setting, in one transaction. A bad value is refused with its rule. Repeating an interaction changes nothing more. */
export function changeServerSetting(
  { store, settingHistory, modelIds, clock }: ScopePorts,
  { interactionId, key, value, by }: ServerSettingChange,
): ServerSettingAnswer {
  const checked = checkChange(key, value, modelIds);
  if (!checked.ok) return checked;
  return store.transaction(() => {
    const before: StoredSettings = store.settings();
    const old = before[checked.key] ?? null;
    const isNew = old !== checked.text && !settingHistory.knows(interactionId);
    if (isNew) {
      store.putSetting(checked.key, checked.text);
      if (checked.key === "thought_log_channel")
        store.putSetting(THOUGHT_LOG_SETTER, checked.text === null ? null : by);
      settingHistory.record(interactionId, { at: clock(), by, key: checked.key, old, new: checked.text });
    }
    const settings = store.settings();
    return { ok: true, key: checked.key, text: settings[checked.key] ?? null, settings };
  });
}

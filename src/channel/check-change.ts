// Checks a change of one setting by the setting's rule.
import { badValueText, unknownSettingText } from "../core/copy/settings.ts";
import type { Rule } from "./setting-rules.ts";
import { isSettingKey, type SettingKey, type SettingValues, settingKeys, settingRules } from "./settings.ts";

/** The text to store (null clears the setting), or the broken rule as a sentence. */
export type CheckedChange = { ok: true; key: SettingKey; text: string | null } | { ok: false; rule: string };

/** Checks that the key is a setting and that the text is one of its values, or null. Saves nothing itself. */
export function checkChange(key: string, text: string | null, modelIds: readonly string[]): CheckedChange {
  if (!isSettingKey(key)) return { ok: false, rule: unknownSettingText(key, settingKeys) };
  return text === null ? { ok: true, key, text } : checkValue(key, text.trim(), modelIds);
}

function checkValue<Key extends SettingKey>(key: Key, text: string, modelIds: readonly string[]): CheckedChange {
  const rule: Rule<SettingValues[Key]> = settingRules[key];
  const value = rule.read(text, modelIds);
  if (value !== undefined) return { ok: true, key, text: rule.write(value) };
  return { ok: false, rule: badValueText(key, rule.must, key === "model" ? modelIds : []) };
}

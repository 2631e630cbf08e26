// Explains to people which value of each setting applies in a channel: as text, with the scope that it comes from.
import type { Rule } from "./setting-rules.ts";
import { resolveSetting, type Scoped, type SettingSource, type SettingsInput, scopesOf } from "./setting-scopes.ts";
import { type SettingKey, type SettingValues, settingKeys, settingRules } from "./settings.ts";

/** A value as text, and the scope that it was set in. */
export interface ScopedText {
  text: string;
  source: SettingSource;
}

/** One setting with the value that applies, as text, and where it comes from. */
export interface ExplainedSetting {
  key: SettingKey;
  /** Null if nothing was set and there is no default. */
  text: string | null;
  source: SettingSource;
  /** Values from wider scopes that also apply. */
  also?: ScopedText[];
  /** A narrower scope's value that does not apply, because it would loosen this one. */
  tooLoose?: ScopedText;
}

/** Explains every setting, in the order of the keys. */
export const explainSettings = (input: SettingsInput): ExplainedSetting[] =>
  settingKeys.map((key) => explainSetting(key, input));

/** Explains one setting. */
export function explainSetting<Key extends SettingKey>(key: Key, input: SettingsInput): ExplainedSetting {
  const rule: Rule<SettingValues[Key]> = settingRules[key];
  const { value, source, also, tooLoose } = resolveSetting(key, scopesOf(input), input.modelIds);
  const asText = (one: Scoped<SettingValues[Key]>) => ({ text: rule.write(one.value), source: one.source });
  return {
    key,
    text: value === null ? null : rule.write(value),
    source,
    ...(also.length > 0 && { also: also.map(asText) }),
    ...(tooLoose && { tooLoose: asText(tooLoose) }),
  };
}

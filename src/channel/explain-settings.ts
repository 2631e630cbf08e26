// Which value of each setting applies in a channel, for people: as text, with the scope that it comes from.
import type { Rule } from "./setting-rules.ts";
import { holding, type Scoped, type SettingSource, type SettingsInput, scopesOf } from "./setting-scopes.ts";
import { type SettingKey, type SettingValues, settingKeys, settingRules } from "./settings.ts";

/** A value as text, and the scope that it was set in. */
export interface ScopedText {
  text: string;
  source: SettingSource;
}

/** One setting with the value that applies, as text, and where it comes from. */
export interface ExplainedSetting {
  key: SettingKey;
  /** Null: nothing was set, and there is no default. */
  text: string | null;
  source: SettingSource;
  /** What wider scopes have set and what also applies. */
  also?: ScopedText[];
  /** What a narrower scope has set and what does not apply, because it would loosen this. */
  tooLoose?: ScopedText;
}

/** The values that apply in a channel and where they come from, in the order of the keys. */
export const explainSettings = (input: SettingsInput): ExplainedSetting[] =>
  settingKeys.map((key) => explainSetting(key, input));

/** One setting's value and where it comes from. */
export function explainSetting<Key extends SettingKey>(key: Key, input: SettingsInput): ExplainedSetting {
  const rule: Rule<SettingValues[Key]> = settingRules[key];
  const { value, source, also, tooLoose } = holding(key, scopesOf(input), input.modelIds);
  const asText = (one: Scoped<SettingValues[Key]>) => ({ text: rule.write(one.value), source: one.source });
  return {
    key,
    text: value === null ? null : rule.write(value),
    source,
    ...(also.length > 0 && { also: also.map(asText) }),
    ...(tooLoose && { tooLoose: asText(tooLoose) }),
  };
}

// The settings of a channel: their keys, the values each may have, and what holds where. A thread's own setting beats its
// parent's, and both beat the default.
import type { FollowUpMode } from "../core/admission.ts";
import type { KillPolicy } from "../core/stop.ts";

/** What was set in one channel, as stored: key → value. */
export type StoredSettings = Record<string, string>;

/** All settings with the values that hold. */
export interface Settings {
  follow_up: FollowUpMode;
  kill_policy: KillPolicy;
}

/** One setting: what it may be, what it is without being set, and what it does in words. */
interface Rule<Value extends string> {
  values: readonly Value[];
  fallback: Value;
  sentence: string;
}

/** Every setting by key. */
export const settingRules: { [Key in keyof Settings]: Rule<Settings[Key]> } = {
  follow_up: {
    values: ["interrupt", "queue", "steer"],
    fallback: "interrupt",
    sentence: "What your next message does while your answer is written: interrupt it, wait, or join it.",
  },
  kill_policy: {
    values: ["owner_or_moderator", "anyone"],
    fallback: "owner_or_moderator",
    sentence: "Who may stop somebody else's answer.",
  },
};

/** The settings that hold in a channel. A stored value that is not allowed (any more) counts as not set. */
export function resolveSettings(own: StoredSettings, parent: StoredSettings): Settings {
  const holding = <Key extends keyof Settings>(key: Key): Settings[Key] => {
    const rule = settingRules[key];
    const allowed = (stored: string | undefined) => rule.values.find((value) => value === stored);
    return allowed(own[key]) ?? allowed(parent[key]) ?? rule.fallback;
  };
  return { follow_up: holding("follow_up"), kill_policy: holding("kill_policy") };
}

/** Is this a setting and one of its values? The sentence names the rule that was broken. */
export function checkSetting(key: string, value: string): { ok: true } | { ok: false; rule: string } {
  const rule = Object.hasOwn(settingRules, key) ? settingRules[key as keyof Settings] : null;
  if (!rule) return { ok: false, rule: `There is no setting \`${key}\`: ${Object.keys(settingRules).join(", ")}.` };
  if (rule.values.some((allowed) => allowed === value)) return { ok: true };
  return { ok: false, rule: `\`${key}\` must be one of ${rule.values.join(", ")}.` };
}

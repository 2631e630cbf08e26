// The settings of a channel: their keys, their allowed values, and which value applies. A thread's own setting beats its
// parent's, and both beat the default.

import { badValueText, unknownSettingText } from "../core/copy/settings.ts";
import { MAX_MESSAGES } from "../core/limits.ts";
import { DOLLAR } from "../core/money/price.ts";
import type { FollowUpMode } from "../core/state/admission.ts";
import type { KillPolicy } from "../core/state/stop.ts";
import { channel, dollars, listOf, modelName, oneOf, prose, type Rule, whole, yesOrNo } from "./setting-rules.ts";

/** What was set in one channel, as stored: key → text. */
export type StoredSettings = Record<string, string>;

/** All settings with the values that apply. Null: nothing was set. */
export interface Settings {
  /** The id of the model that is tried first. */
  model: string | null;
  system_prompt: string | null;
  follow_up: FollowUpMode;
  kill_policy: KillPolicy;
  thought_log_channel: string | null;
  private: boolean;
  notices: boolean;
  link_previews: boolean;
  max_messages: number;
  /** How many days turns and messages are kept. */
  keep_days: number;
  /** 0 means no limit, here and in every other limit. */
  user_turns_per_day: number;
  user_tokens_per_day: number;
  channel_turns_per_day: number;
  channel_tokens_per_day: number;
  /** The next three are in micro-dollars; the first and the last hold across the channels of a server. */
  user_usd_per_day: number;
  channel_usd_per_day: number;
  server_usd_per_day: number;
  /** Of one person in this channel. */
  turns_per_minute: number;
  allow_roles: readonly string[];
  allow_users: readonly string[];
  deny_roles: readonly string[];
  deny_users: readonly string[];
}

/** The name of a setting. */
export type SettingKey = keyof Settings;

/** Where a value comes from. */
export type SettingSource = "here" | "parent" | "default";

/** A longer prompt would leave too little of a small model's window. */
const MAX_PROMPT_CODE_POINTS = 4000;
const MAX_TURNS = 1_000_000;
const MAX_TOKENS = 1_000_000_000;
const TURN_BUDGETS = ["0", "10", "50", "200"];
const MAX_TURNS_PER_MINUTE = 60;
const MAX_MICRO_USD = 1_000_000 * DOLLAR;
const MONEY_BUDGETS = ["0", "0.5", "2", "10"];
const TOKEN_BUDGETS = ["0", "50000", "200000", "1000000"];

/** Every setting by key. */
export const settingRules: { [Key in SettingKey]: Rule<Settings[Key]> } = {
  model: modelName({ fallback: null }),
  system_prompt: prose(MAX_PROMPT_CODE_POINTS, { fallback: null }),
  follow_up: oneOf(["interrupt", "queue", "steer"], { fallback: "interrupt" }),
  kill_policy: oneOf(["owner_or_moderator", "anyone"], { fallback: "owner_or_moderator" }),
  thought_log_channel: channel({ fallback: null, serverOnly: true }),
  private: yesOrNo({ fallback: false, serverOnly: true, binding: true }),
  notices: yesOrNo({ fallback: true }),
  link_previews: yesOrNo({ fallback: false }),
  max_messages: whole(1, 10, ["1", "3", String(MAX_MESSAGES), "10"], { fallback: MAX_MESSAGES }),
  keep_days: whole(1, 365, ["7", "30", "90", "365"], { fallback: 30 }),
  user_turns_per_day: whole(0, MAX_TURNS, TURN_BUDGETS, { fallback: 0 }),
  user_tokens_per_day: whole(0, MAX_TOKENS, TOKEN_BUDGETS, { fallback: 0 }),
  channel_turns_per_day: whole(0, MAX_TURNS, TURN_BUDGETS, { fallback: 0 }),
  channel_tokens_per_day: whole(0, MAX_TOKENS, TOKEN_BUDGETS, { fallback: 0 }),
  user_usd_per_day: dollars(MAX_MICRO_USD, MONEY_BUDGETS, { fallback: 0 }),
  channel_usd_per_day: dollars(MAX_MICRO_USD, MONEY_BUDGETS, { fallback: 0 }),
  server_usd_per_day: dollars(MAX_MICRO_USD, MONEY_BUDGETS, { fallback: 0, serverOnly: true }),
  turns_per_minute: whole(0, MAX_TURNS_PER_MINUTE, ["0", "2", "5", "10"], { fallback: 5 }),
  allow_roles: listOf("roles", { fallback: [], serverOnly: true }),
  allow_users: listOf("people", { fallback: [] }),
  deny_roles: listOf("roles", { fallback: [], serverOnly: true }),
  deny_users: listOf("people", { fallback: [] }),
};

/** Every key, in the order in which people see them. */
export const settingKeys = Object.keys(settingRules) as SettingKey[];

/** Is this the name of a setting? */
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingRules, key);

/** What was set where, and which models there are to choose from. */
export interface SettingsInput {
  own: StoredSettings;
  /** The settings of a thread's parent; empty elsewhere. */
  parent: StoredSettings;
  modelIds: readonly string[];
}

/** The settings that apply in a channel. A stored text that is no longer allowed counts as not set. */
export function resolveSettings(input: SettingsInput): Settings {
  const settings: Partial<Settings> = {};
  const resolve = <Key extends SettingKey>(key: Key) => {
    settings[key] = holding(key, input).value;
  };
  for (const key of settingKeys) resolve(key);
  return settings as Settings;
}

/** One setting with the value that applies, as text, and where it comes from. */
export interface ExplainedSetting {
  key: SettingKey;
  /** Null: nothing was set, and there is no default. */
  text: string | null;
  source: SettingSource;
}

/** The values that apply in a channel and where they come from, in the order of the keys. */
export const explainSettings = (input: SettingsInput): ExplainedSetting[] =>
  settingKeys.map((key) => explainSetting(key, input));

/** One setting's value and where it comes from. */
export function explainSetting<Key extends SettingKey>(key: Key, input: SettingsInput): ExplainedSetting {
  const rule: Rule<Settings[Key]> = settingRules[key];
  const { value, source } = holding(key, input);
  return { key, text: value === null ? null : rule.write(value), source };
}

function holding<Key extends SettingKey>(
  key: Key,
  { own, parent, modelIds }: SettingsInput,
): { value: Settings[Key]; source: SettingSource } {
  const rule: Rule<Settings[Key]> = settingRules[key];
  const meaning = (text: string | undefined) => (text === undefined ? undefined : rule.read(text, modelIds));
  const inherited = meaning(parent[key]);
  const here = meaning(own[key]);
  const isBound = rule.binding !== undefined && inherited === rule.binding;
  if (here !== undefined && !isBound) return { value: here, source: "here" };
  if (inherited !== undefined) return { value: inherited, source: "parent" };
  return { value: rule.fallback, source: "default" };
}

/** The text to store (null clears the setting), or the broken rule as a sentence. */
export type CheckedChange = { ok: true; key: SettingKey; text: string | null } | { ok: false; rule: string };

/** Checks that the key is a setting and the text (or null) one of its values. Saves nothing itself. */
export function checkChange(key: string, text: string | null, modelIds: readonly string[]): CheckedChange {
  if (!isSettingKey(key)) return { ok: false, rule: unknownSettingText(key, settingKeys) };
  return text === null ? { ok: true, key, text } : checkValue(key, text.trim(), modelIds);
}

function checkValue<Key extends SettingKey>(key: Key, text: string, modelIds: readonly string[]): CheckedChange {
  const rule: Rule<Settings[Key]> = settingRules[key];
  const value = rule.read(text, modelIds);
  if (value !== undefined) return { ok: true, key, text: rule.write(value) };
  return { ok: false, rule: badValueText(key, rule.must, key === "model" ? modelIds : []) };
}

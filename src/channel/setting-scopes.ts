// Which value of a setting applies in a channel, of those that its scopes have set: the server, the parent of a thread, the channel itself.
// The narrower scope's value beats the wider one's and all beat the default, but a narrower scope can't loosen a limit, and every scope's
// lists of people hold.
import type { AccessLists } from "../core/state/access-lists.ts";
import type { Rule } from "./setting-rules.ts";
import {
  type SettingKey,
  type Settings,
  type SettingValues,
  type StoredSettings,
  settingKeys,
  settingRules,
} from "./settings.ts";

/** Where a value comes from. */
export type SettingSource = Scope | "default";

/** The scopes in which something can be set. */
type Scope = "here" | "parent" | "server";

/** What was set where, and which models there are to choose from. */
export interface SettingsInput {
  own: StoredSettings;
  /** The settings of a thread's parent; empty elsewhere. */
  parent: StoredSettings;
  /** The settings of the server; empty where no server installed the bot. */
  server: StoredSettings;
  modelIds: readonly string[];
}

const LISTS = ["allow_roles", "allow_users", "deny_roles", "deny_users"] as const;
type ListKey = (typeof LISTS)[number];
const keysOfOneValue = settingKeys.filter(
  (key): key is Exclude<SettingKey, ListKey> => !LISTS.some((list) => list === key),
);

/** The settings that apply in a channel. A stored text that is no longer allowed counts as not set. */
export function resolveSettings(input: SettingsInput): Settings {
  const scopes = scopesOf(input);
  const values: Partial<SettingValues> = {};
  const resolve = <Key extends Exclude<SettingKey, ListKey>>(key: Key) => {
    const rule: Rule<SettingValues[Key]> = settingRules[key];
    // This runs before every step of a turn, and most scopes have set little.
    const isSet = scopes.some(({ stored }) => stored[key] !== undefined);
    values[key] = isSet ? holding(key, scopes, input.modelIds).value : rule.fallback;
  };
  for (const key of keysOfOneValue) resolve(key);
  const access = scopes.flatMap(({ stored }) => readLists(stored));
  return Object.assign(values as Omit<SettingValues, ListKey>, { access });
}

/** The lists of one scope; none of them when all are empty. */
function readLists(stored: StoredSettings): AccessLists[] {
  if (!LISTS.some((key) => stored[key] !== undefined)) return [];
  const read = (key: ListKey) => settingRules[key].read(stored[key] ?? "", []) ?? [];
  const lists = {
    allow_roles: read("allow_roles"),
    allow_users: read("allow_users"),
    deny_roles: read("deny_roles"),
    deny_users: read("deny_users"),
  };
  return Object.values(lists).some((list) => list.length > 0) ? [lists] : [];
}

/** A value, and the scope that it was set in. */
export interface Scoped<Value> {
  value: Value;
  source: SettingSource;
}

interface Holding<Value> extends Scoped<Value> {
  also: Scoped<Value>[];
  tooLoose: Scoped<Value> | null;
}

/** What one scope has set. */
interface SetIn {
  source: Scope;
  stored: StoredSettings;
}

/** The scopes that have set anything, the widest first. */
export const scopesOf = ({ own, parent, server }: SettingsInput): SetIn[] => {
  const scopes: SetIn[] = [
    { source: "server", stored: server },
    { source: "parent", stored: parent },
    { source: "here", stored: own },
  ];
  return scopes.filter(({ stored }) => Object.keys(stored).length > 0);
};

/** The value that applies, and what wider and narrower scopes have set besides. `scopes`: the widest first. */
export function holding<Key extends SettingKey>(
  key: Key,
  scopes: readonly SetIn[],
  modelIds: readonly string[],
): Holding<SettingValues[Key]> {
  const rule: Rule<SettingValues[Key]> = settingRules[key];
  let held: Holding<SettingValues[Key]> = { value: rule.fallback, source: "default", also: [], tooLoose: null };
  for (const { source, stored } of scopes) {
    const text = stored[key];
    const value = text === undefined ? undefined : rule.read(text, modelIds);
    if (value !== undefined) held = withNarrower(rule, held, { value, source });
  }
  return held;
}

/** What applies when a narrower scope has set something too. The default limits no one. */
function withNarrower<Value>(rule: Rule<Value>, held: Holding<Value>, narrower: Scoped<Value>): Holding<Value> {
  if (held.source === "default") return { ...narrower, also: [], tooLoose: null };
  if (rule.loosens?.(narrower.value, held.value)) return { ...held, tooLoose: narrower };
  const { value, source, also } = held;
  return { ...narrower, also: rule.holdsEach ? [...also, { value, source }] : [], tooLoose: null };
}

// Decides which value of a setting applies in a channel, of those that its scopes have set: the server, a thread's parent, the channel itself.
// A narrower scope's value replaces a wider one's, and any value replaces the default. But a narrower scope can't loosen a limit, and the lists
// of people of all scopes apply together.
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

/** What was set in each scope, and the models to choose from. */
export interface SettingsInput {
  own: StoredSettings;
  /** The settings of a thread's parent; empty elsewhere. */
  parent: StoredSettings;
  /** The settings of the server; empty if no server has added the bot. */
  server: StoredSettings;
  modelIds: readonly string[];
}

const LISTS = ["allow_roles", "allow_users", "deny_roles", "deny_users"] as const;
type ListKey = (typeof LISTS)[number];
const keysOfOneValue = settingKeys.filter(
  (key): key is Exclude<SettingKey, ListKey> => !LISTS.some((list) => list === key),
);

/** Resolves all settings of a channel. A stored text that is no longer allowed counts as not set. */
export function resolveSettings(input: SettingsInput): Settings {
  const scopes = scopesOf(input);
  const values: Partial<SettingValues> = {};
  const resolve = <Key extends Exclude<SettingKey, ListKey>>(key: Key) => {
    const rule: Rule<SettingValues[Key]> = settingRules[key];
    // Runs before every step of a turn, and most scopes have set little.
    const isSet = scopes.some(({ stored }) => stored[key] !== undefined);
    values[key] = isSet ? resolveSetting(key, scopes, input.modelIds).value : rule.fallback;
  };
  for (const key of keysOfOneValue) resolve(key);
  const access = scopes.flatMap(({ stored }) => readLists(stored));
  return Object.assign(values as Omit<SettingValues, ListKey>, { access });
}

/** Reads the lists of one scope; returns none if all of them are empty. */
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

interface Resolved<Value> extends Scoped<Value> {
  also: Scoped<Value>[];
  tooLoose: Scoped<Value> | null;
}

/** What one scope has set. */
interface SetIn {
  source: Scope;
  stored: StoredSettings;
}

/** Lists the scopes that have set anything, the widest first. */
export const scopesOf = ({ own, parent, server }: SettingsInput): SetIn[] => {
  const scopes: SetIn[] = [
    { source: "server", stored: server },
    { source: "parent", stored: parent },
    { source: "here", stored: own },
  ];
  return scopes.filter(({ stored }) => Object.keys(stored).length > 0);
};

/** Returns the value that applies, and the wider and narrower scopes' other values. `scopes`: the widest first. */
export function resolveSetting<Key extends SettingKey>(
  key: Key,
  scopes: readonly SetIn[],
  modelIds: readonly string[],
): Resolved<SettingValues[Key]> {
  const rule: Rule<SettingValues[Key]> = settingRules[key];
  let resolved: Resolved<SettingValues[Key]> = { value: rule.fallback, source: "default", also: [], tooLoose: null };
  for (const { source, stored } of scopes) {
    const text = stored[key];
    const value = text === undefined ? undefined : rule.read(text, modelIds);
    if (value !== undefined) resolved = withNarrower(rule, resolved, { value, source });
  }
  return resolved;
}

/** Returns what applies once a narrower scope's value is added. The default limits nobody. */
function withNarrower<Value>(rule: Rule<Value>, wider: Resolved<Value>, narrower: Scoped<Value>): Resolved<Value> {
  if (wider.source === "default") return { ...narrower, also: [], tooLoose: null };
  if (rule.loosens?.(narrower.value, wider.value)) return { ...wider, tooLoose: narrower };
  const { value, source, also } = wider;
  return { ...narrower, also: rule.allApply ? [...also, { value, source }] : [], tooLoose: null };
}

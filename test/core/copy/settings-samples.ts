// Sample arguments for every sentence about settings; samples.ts has the others.
import { settingKeys } from "../../../src/channel/settings.ts";

const one = (values: readonly unknown[]): [unknown][] => values.map((value) => [value]);
const shown = { key: "max_messages", text: "3", source: "here" } as const;

/** The arguments of each call, by file and function name. */
export const settingsSamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "settings.thoughtLogRefusal": one(["hidden", "elsewhere", "unchecked"]),
  "settings.unknownSettingText": [["volume", settingKeys]],
  "settings.badValueText": [
    ["model", "one of the configured models", ["quick", "deep"]],
    ["notices", "true or false", []],
  ],
  "settings.settingsText": one([
    [shown, { ...shown, text: null, source: "default" }, { ...shown, text: "x".repeat(200), source: "parent" }],
    [
      { key: "deny_users", text: "none", source: "here", also: [{ text: "1", source: "server" }] },
      { key: "user_turns_per_day", text: "50", source: "server", tooLoose: { text: "100", source: "here" } },
    ],
  ]),
  "settings.settingChangedText": one([shown]),
  "settings.unpricedText": one([["quick", "deep"]]),
  "settings.serverSettingText": [
    [{ key: "max_messages", text: "3" }, shown],
    [{ key: "max_messages", text: null }, null],
  ],
  "settings.settingHistoryText": one([
    [],
    [
      { at: 1_900_000_000_000, by: "1180000000000000022", key: "max_messages", old: null, new: "3" },
      { at: 1_900_000_000_000, by: null, key: "system_prompt", old: "x".repeat(200), new: null },
    ],
  ]),
  "settings.modelsText": [
    [
      [
        { id: "quick", model: "gpt-5-mini", price: { input: 0.25, cachedInput: 0.025, output: 2 } },
        { id: "wise", model: "claude-opus-5", price: { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 } },
        { id: "deep", model: "d", price: { input: 5, output: 25 } },
        { id: "local", model: "l" },
      ],
      "deep",
    ],
  ],
  "changes.changeText.settingNeedsOwner": one(["model"]),
  "setting-values.valueRules.oneOf": one([["interrupt", "queue", "steer"]]),
  "setting-values.valueRules.whole": [[1, 10]],
  "setting-values.valueRules.dollars": [[1_000_000]],
  "setting-values.valueRules.prose": one([4000]),
  "setting-values.valueRules.channel": one(["none"]),
  "setting-values.valueRules.listOf": [[50, "roles", "none"]],
};

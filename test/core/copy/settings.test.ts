// What people read after they change a setting, and in its history.
import { expect, it } from "vitest";
import {
  serverSettingText,
  settingChangedText,
  settingHistoryText,
  settingsText,
} from "../../../src/core/copy/settings.ts";

it.each([
  ["high", "Set for this server: `effort`: `high`"],
  [null, "Cleared for this server: `effort`."],
])("a server's setting is shown as it is now: %j", (text, told) => {
  expect(serverSettingText({ key: "effort", text }, null).split("\n")[0]).toBe(told);
});

it.each([
  [80, "x".repeat(80)],
  [81, `${"x".repeat(79)}…`],
])("of a value of %i characters, 80 are shown", (length, told) => {
  const setting = { key: "system_prompt", text: "x".repeat(length), source: "here" } as const;
  expect(settingChangedText(setting)).toContain(`\`${told}\``);
});

it.each([
  ["allow_roles", "1180000000000000031", "<@&1180000000000000031>"],
  ["approvers", "1180000000000000031", "<@&1180000000000000031>"],
  ["deny_users", "1180000000000000022 1180000000000000021", "<@1180000000000000022> <@1180000000000000021>"],
  ["thought_log_channel", "1180000000000000014", "<#1180000000000000014>"],
  ["deny_users", "none", "`none`"],
  ["user_tokens_per_day", "1180000000000000022", "`1180000000000000022`"],
  ["user_usd_per_day", "0", "`0`, no limit"],
  ["turns_per_minute", "0", "`0`, no limit"],
  ["channel_context", "0", "`0`"],
])("the value of %s is shown with Discord's names for ids, and 0 as no limit", (key, text, told) => {
  expect(settingChangedText({ key, text, source: "here" })).toBe(`Now set to: \`${key}\`: ${told} (set here)`);
});

it("of a long list of ids, as many are shown as fit, none of them cut", () => {
  const text = Array.from({ length: 50 }, (_, n) => `11800000000000000${10 + n}`).join(" ");
  const told = settingChangedText({ key: "allow_roles", text, source: "here" });
  expect(told).toMatch(/: (?:<@&\d{19}> ){4}… \(set here\)$/);
});

it("all settings fit into one message, with long values cut", () => {
  const told = (key: string) => settingsText([{ key, text: "x".repeat(80), source: "here" }]);
  const key = "k".repeat(2000 - told("").length);
  expect(told(key)).toBe(`\`${key}\`: \`${"x".repeat(80)}\` (set here)`);
  expect(told(`${key}k`)).toBe(`\`${key}k\`: \`${"x".repeat(39)}…\` (set here)`);
});

it("the history shows the name and full address of a remote server, but only the beginning of other values", () => {
  const address = `https://mcp.example.org/${"path/".repeat(20)}`;
  const change = (key: string, value: string) => settingHistoryText([{ at: 0, by: "1", key, old: null, new: value }]);
  expect(change("remote server", `notes ${address}`)).toBe(
    `<t:0:f> <@1>: \`remote server\` from not set to \`notes ${address}\``,
  );
  expect(change("system_prompt", "x".repeat(99))).toContain(`\`${"x".repeat(29)}…\``);
});

it("the history shows the time of each change in whole seconds, which Discord displays in the reader's time zone", () => {
  const at = Date.UTC(2030, 0, 1) + 999;
  const told = settingHistoryText([{ at, by: "1", key: "effort", old: "low", new: "high" }]);
  expect(told).toBe("<t:1893456000:f> <@1>: `effort` from `low` to `high`");
});

it("the history shows as many changes as fit into one message, and counts the others", () => {
  const change = (key: string) => ({ at: 0, by: "7", key, old: null, new: "high" });
  const told = (...keys: string[]) => settingHistoryText(keys.map(change));
  const newest = told("effort");
  const key = "k".repeat(2000 - told("effort", "").length);
  expect(told("effort", key)).toBe([newest, told(key)].join("\n"));
  expect(told("effort", `${key}k`)).toBe([newest, "-# … and 1 earlier."].join("\n"));
  expect(told("effort", "effort", key)).toBe([newest, newest, "-# … and 1 earlier."].join("\n"));
});

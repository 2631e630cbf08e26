// What a change of a server's setting is answered with.
import { expect, it } from "vitest";
import { serverSettingText, settingChangedText } from "../../../src/core/copy/settings.ts";

it.each([
  ["high", "Set for this server: `effort`: `high`"],
  [null, "Cleared for this server: `effort`."],
])("a server's setting is told as it is now: %j", (text, told) => {
  expect(serverSettingText({ key: "effort", text }, null).split("\n")[0]).toBe(told);
});

it.each([
  [80, "x".repeat(80)],
  [81, `${"x".repeat(79)}…`],
])("of a value of %i characters 80 are shown", (length, told) => {
  const setting = { key: "system_prompt", text: "x".repeat(length), source: "here" } as const;
  expect(settingChangedText(setting)).toContain(`\`${told}\``);
});

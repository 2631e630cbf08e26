// What a change of a server's setting is answered with.
import { expect, it } from "vitest";
import { serverSettingText } from "../../../src/core/copy/settings.ts";

it.each([
  ["high", "Set for this server: `effort`: `high`"],
  [null, "Cleared for this server: `effort`."],
])("a server's setting is told as it is now: %j", (text, told) => {
  expect(serverSettingText({ key: "effort", text }, null).split("\n")[0]).toBe(told);
});

// What /catch-up says where nothing was missed: how far back it looked.
import { expect, it } from "vitest";
import { nothingMissed, unreadableText } from "../../../src/core/copy/catch-up.ts";
import { commands } from "../../../src/discord/commands/commands.ts";

it.each([
  [null, "since your last message."],
  [1, "in the last hour."],
  [2, "in the last 2 hours."],
])("says how far back was looked: %j", (hours, told) => {
  expect(nothingMissed(hours).split(" To look further back")[0]).toBe(`Nothing was said here ${told}`);
});

it("sends nobody to a manager where the bot is no member: a conversation between people has none", () => {
  expect(unreadableText.not_a_member).toContain("not a member");
  expect(unreadableText.not_a_member).not.toMatch(/permission|moderator/);
});

it("sends nobody further back than the command goes", () => {
  const most = commands["catch-up"].options.since.max;
  expect(nothingMissed(most - 1)).toContain("with more hours");
  expect(nothingMissed(most)).toBe("Nothing was said here in the last 168 hours.");
});

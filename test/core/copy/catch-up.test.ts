// What /catch-up says if nothing was missed: how far back it looked.
import { expect, it } from "vitest";
import { nothingMissed, unreadableText } from "../../../src/core/copy/catch-up.ts";
import { commands } from "../../../src/discord/commands/commands.ts";

it.each([
  [null, "since your last message."],
  [1, "in the last hour."],
  [2, "in the last 2 hours."],
])("says how far back it looked: %j", (hours, told) => {
  expect(nothingMissed(hours).split(" To look further back")[0]).toBe(`Nothing has been said here ${told}`);
});

it("sends no one to a manager if the bot is not a member, because a conversation between people has none", () => {
  expect(unreadableText.not_a_member).toContain("not a member");
  expect(unreadableText.not_a_member).not.toMatch(/permission|moderator/);
});

it("sends no one further back than the command can look", () => {
  const most = commands["catch-up"].options.since.max;
  expect(nothingMissed(most - 1)).toContain("with more hours");
  expect(nothingMissed(most)).toBe("Nothing has been said here in the last 168 hours.");
});

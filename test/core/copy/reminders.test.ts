// The list of reminders: how many it shows, and how much of each.
import { expect, it } from "vitest";
import { remindersText } from "../../../src/core/copy/reminders.ts";

const due = (number: number, text = "tea") => ({ number, userId: "7", text, dueAt: 1_999_999 });
const pending = (count: number) => Array.from({ length: count }, (_, at) => due(at + 1));

it.each([
  [15, []],
  [16, ["… and 1 more."]],
  [18, ["… and 3 more."]],
])("of %i reminders, fifteen are shown and the others counted", (count, rest) => {
  const lines = remindersText(pending(count)).split("\n");
  expect(lines[14]).toBe("15. `tea` for <@7>, due <t:1999:R>");
  expect(lines.slice(15, -1)).toEqual(rest);
});

it.each([
  ["😀".repeat(60), "😀".repeat(60)],
  ["😀".repeat(61), `${"😀".repeat(59)}…`],
])("a reminder shows its first 60 characters", (text, shown) => {
  expect(remindersText([due(1, text)])).toContain(`1. \`${shown}\` for`);
});

it("fewer are shown if long rules would make the list longer than one message", () => {
  const userId = "1180000000000000022";
  const long = pending(20).map((one) => ({ ...one, userId, text: "x".repeat(99), every: "y".repeat(100) }));
  const text = remindersText(long);
  const lines = text.split("\n");
  expect([...text].length).toBeLessThanOrEqual(2000);
  expect([...text].length + (lines[1]?.length ?? 0)).toBeGreaterThan(1990);
  expect(lines.slice(-2)).toEqual([
    `… and ${20 - (lines.length - 2)} more.`,
    "-# Cancel one with `/reminders cancel` and its number.",
  ]);
});

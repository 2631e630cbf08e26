// Figures in the small lines of a reply.
import { expect, it } from "vitest";
import { changeText } from "../../../src/core/copy/changes.ts";
import { reminderLine, say } from "../../../src/core/copy/notices.ts";

const MEBIBYTE = 1_048_576;

it.each([
  [10 * MEBIBYTE, "10 MiB"],
  [1.26 * MEBIBYTE, "1.3 MiB"],
  [1000, "larger than 1000 bytes"],
])("a limit of %i bytes is %s", (bytes, shown) => {
  expect(say.fileTooLarge("cat.png", bytes)).toContain("cat.png");
  expect(say.fileTooLarge("cat.png", bytes)).toContain(shown);
});

it("a reminder takes one line with the time in seconds, and a recurring one says how often it comes", () => {
  const due = { text: "drink\n\ttea", dueAt: 1_999_999 };
  expect(reminderLine(due, "7")).toBe("-# ⏰ Reminder for <@7>, due <t:1999:R>: drink tea");
  const task = { number: 1, every: "every day at 9" };
  expect(reminderLine({ ...due, task }, "7")).toBe(
    "-# ⏰ Reminder for <@7>, every day at 9, due <t:1999:R>: drink tea",
  );
});

it("the first in the queue waits after no one", () => {
  expect(say.waiting(1, [])).toBe("-# Waiting: number 1 in the queue.");
  expect(say.waiting(2, ["7"])).toBe("-# Waiting: number 2 in the queue, after <@7>.");
});

it.each([
  [0, 0, "There was no conversation to forget here.", ""],
  [1, 1, "Forgot the conversation here (1 stored message) and my notes about it.", " 1 reminder remains;"],
  [2, 2, "Forgot the conversation here (2 stored messages) and my notes about it.", " 2 reminders remain;"],
])(
  "a reset of %i messages says what was forgotten, and that %i reminders remain",
  (messages, reminders, forgot, remain) => {
    const rest = remain && `${remain} see \`/reminders list\`.`;
    expect(changeText.reset(messages, reminders)).toBe(
      `${forgot} Settings, long-term memory and unfinished answers are unchanged.${rest}`,
    );
  },
);

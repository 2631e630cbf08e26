// A private answer about tools is one message: it shows as many lines as fit, and says how many more there are.
import { expect, it } from "vitest";
import { toolsText } from "../../../src/core/copy/deliberate.ts";

const report = { active: true, tools: [] };
const [head = ""] = toolsText(report).split("\n");

it("all lines are shown if they take 1,900 characters with their line ends, else as many as fit", () => {
  const short = "short";
  const line = "😀".repeat(1900 - head.length - 1 - short.length - 1 - 1);
  expect(toolsText(report, [short, line])).toBe([head, short, line].join("\n"));
  expect(toolsText(report, [short, `${line}x`])).toBe([head, short, "… and 1 more"].join("\n"));
});

// Calls that a model writes into its text: where JSON in it counts as a call.
import { expect, it } from "vitest";
import type { ToolMode } from "../../src/turn/ports.ts";
import { listenForCalls } from "../../src/turn/text-tool-calls.ts";

const CALL = '{"tool": "roll_dice", "arguments": {}}';

it.each<[string, ToolMode, string, string]>([
  ["at the start of an answer is not shown", "native", CALL, ""],
  ["on a later line is an example that people see", "native", `Like this:\n${CALL}`, `Like this:\n${CALL}`],
  ["on a later line is a call for a model that has no other way", "fallback", `I roll.\n${CALL}`, "I roll."],
])("JSON %s: %s", (_, mode, text, shown) => {
  const listening = listenForCalls(mode, ["roll_dice"], 0);
  expect((listening.push(text) + listening.end()).trim()).toBe(shown);
});

// What the model and the timeline learn about a call beyond its data: what was repaired, converted and ignored in its
// arguments, and what the tool says to its reader.

import { describe, expect, it } from "vitest";
import { array, number, object, optional, string } from "zod";
import { defineTool, type Tool, type ToolOutcome } from "../../src/toolkit/define/tool.ts";
import { createTurnHarness, type TurnWorld } from "../support/turn-harness.ts";
import { calls, says } from "../support/turn-script.ts";

const counting = (outcome: (count: number) => ToolOutcome): Tool =>
  defineTool({
    name: "count",
    description: "For tests.",
    category: "safe",
    hints: { readOnly: true, idempotent: true, destructive: false, openWorld: false },
    input: object({ count: number(), token: optional(number()), names: optional(array(string())) }),
    execute: ({ count }) => outcome(count),
  }) as Tool;

/** One call with these arguments: what the model reads about it, and its timeline entry. */
async function called(outcome: (count: number) => ToolOutcome, args: object | string) {
  const w = createTurnHarness({ models: [[calls(["count", args]), says("Done.")]], tools: [counting(outcome)] });
  await w.end();
  expect(w.requests).toHaveLength(2);
  return { read: readResult(w), line: w.turn().events.find(({ what }) => what === "tool")?.detail ?? "", w };
}

function readResult(w: TurnWorld): unknown {
  const last = w.requests.at(-1)?.messages.at(-1);
  return last?.role === "tool" ? JSON.parse(last.text) : null;
}

describe("the model and the timeline learn", () => {
  it("nothing beyond the data if the call was right and the tool adds nothing", async () => {
    const { read, line } = await called((count) => ({ ok: true, data: { count } }), { count: 5 });
    expect([read, line]).toEqual([{ count: 5 }, 'count {"count":5}: ok, 0 ms']);
  });

  it("which arguments were converted and which were ignored", async () => {
    const { read, line } = await called((count) => ({ ok: true, data: { count } }), { count: "5", extra: 1 });
    const warnings = ["extra: is not a parameter; it was ignored", 'count: took "5" for number'];
    expect(read).toEqual({ count: 5, warnings });
    expect(line).toBe(`count {"count":"5","extra":1}: ok, 0 ms; ${warnings.join("; ")}`);
  });

  it("how broken arguments were read", async () => {
    const { read, line } = await called((count) => ({ ok: true, data: [count] }), "{count: 5}");
    const warnings = ["the arguments were not quite JSON"];
    expect(read).toEqual({ data: [5], warnings });
    expect(line).toBe(`count [not JSON]: ok, 0 ms; ${warnings[0]}`);
  });

  it("the same about a call that failed", async () => {
    const { read } = await called(() => ({ ok: false, error: "no" }), { count: "5" });
    expect(read).toEqual({
      status: "tool_execution_failed",
      reason: "no",
      tool_name: "count",
      warnings: ['count: took "5" for number'],
    });
  });

  it("no value of an argument whose name marks it as secret, in the timeline", async () => {
    const { line } = await called((count) => ({ ok: true, data: count }), { count: 5, token: "12345" });
    expect(line).toBe('count {"count":5,"token":"[redacted]"}: ok, 0 ms; token: [redacted]');
  });

  it("at most 20 notes, and how many more there are", async () => {
    const extra = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]));
    const { read, line } = await called((count) => ({ ok: true, data: count }), { count: 5, ...extra });
    const { warnings } = read as { warnings: string[] };
    expect([warnings.length, warnings.at(-1), line.length < 300]).toEqual([21, "10 more", true]);
  });
});

describe("a successful tool's message reaches the model", () => {
  it.each<[string, unknown, unknown]>([
    ["next to the fields of its data", { id: 7 }, { id: 7, message: "There is one." }],
    ["next to other data", [7], { data: [7], message: "There is one." }],
    ["alone if there is no data", null, { status: "completed", message: "There is one." }],
    ["next to data with its own message", { message: 7 }, { data: { message: 7 }, message: "There is one." }],
  ])("%s", async (_, data, expected) => {
    const { read } = await called(() => ({ ok: true, data, message: "There is one." }), { count: 5 });
    expect(read).toEqual(expected);
  });

  it("and the tool still ends the search for an answer if it has delivered one", async () => {
    const tool = counting(() => ({ ok: true, data: { responseDelivered: true }, message: "Posted." }));
    const w = createTurnHarness({ models: [[calls(["count", { count: 1 }]), calls()]], tools: [tool] });
    expect(await w.end()).toMatchObject({ status: "completed", ending: { kind: "completed", wordless: true } });
  });
});

// What operators read about a tool that failed: one line with its cause, even if a later attempt succeeded and no result mentions it.
import { expect, it } from "vitest";
import type { ToolOutcome } from "../../src/toolkit/define/tool.ts";
import { createTurnHarness } from "../support/turn-harness.ts";
import { calls, says, tool } from "../support/turn-script.ts";

const busy: ToolOutcome = { ok: false, error: "the archive is busy", retryable: true, retryAfterMs: 0 };

it.each<[string, ToolOutcome[], object]>([
  ["fails once", [busy, { ok: true, data: 1 }], { status: "ok", error: "the archive is busy", retries: 1 }],
  ["fails otherwise then", [busy, { ok: false, error: "no" }], { status: "error", error: "no", retries: 1 }],
  ["is broken", [{ ok: false, error: "it burned down", isFault: true }], { error: "it burned down", retries: 0 }],
])("a tool that %s is logged once, with its cause", async (_, answers, line) => {
  const archive = tool("archive", () => answers.shift() ?? busy);
  const w = createTurnHarness({ models: [[calls("archive"), says("So.")]], tools: [archive] });
  await w.end(10);
  expect(w.errors).toEqual([expect.objectContaining({ line: "a tool failed", tool: "archive", ...line })]);
});

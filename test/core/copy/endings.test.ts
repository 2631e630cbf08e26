// The sentences that end a turn, one for every ending and reason, none of which can ping; and the status report.
import { describe, expect, it } from "vitest";
import { stopText } from "../../../src/core/copy/control-answers.ts";
import { endingNotice } from "../../../src/core/copy/endings.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { statusText } from "../../../src/core/copy/status.ts";
import type { Ending, ModelFailureReason } from "../../../src/core/state/ending.ts";
import type { StatusReport } from "../../../src/core/state/rpc.ts";

const reasons: ModelFailureReason[] = [
  "rate_limited",
  "overloaded",
  "refused",
  "context_too_long",
  "auth",
  "network",
  "bad_stream",
  "content_blocked",
  "timeout",
  "aborted",
  "unknown",
];

describe("the line that closes an answer", () => {
  it("doesn't name a person who asked to be forgotten", () => {
    const by = "";
    const told = (["stopped", "cleared", "taken_back"] as const).map((kind) => endingNotice({ kind, by }));
    expect(told.map((line) => /someone/.test(line ?? "") && !line?.includes("<@>"))).toEqual([true, true, true]);
  });

  it("says when to try again if the provider says so", () => {
    const at = (resetsAt: object) => endingNotice({ kind: "model_failed", reason: "rate_limited", ...resetsAt });
    expect(at({})).toMatch(/ our requests\. Try again in a minute\.$/);
    expect(at({ resetsAt: 1_796_000_000_001 })).toMatch(/ our requests\. Try again after <t:1796000001:T>\.$/);
  });

  it("is small, with a warning sign for every failure but not for what people did", () => {
    const failures: Ending[] = [
      ...reasons.map((reason): Ending => ({ kind: "model_failed", reason })),
      { kind: "model_silent" },
      { kind: "turn_deadline" },
      { kind: "iteration_limit" },
      { kind: "tool_errors" },
      { kind: "call_loop", tool: "roll_dice" },
      { kind: "empty" },
      { kind: "interrupted" },
      { kind: "crashed" },
    ];
    for (const ending of failures) expect(endingNotice(ending)).toMatch(/^-# ⚠️ [A-Z`].*\.$/);
    const doings: Ending[] = [
      { kind: "stopped", by: "1" },
      { kind: "follow_up" },
      { kind: "cleared", by: "1" },
      { kind: "taken_back", by: "1" },
      { kind: "superseded" },
      { kind: "steered" },
    ];
    for (const ending of doings) expect(endingNotice(ending)).toMatch(/^-# [A-Z][^⚠]*\.$/);
    expect(endingNotice({ kind: "completed" })).toBeNull();
    expect(endingNotice({ kind: "completed", wordless: true })).toBe("-# Done. I have nothing to add.");
    expect(endingNotice({ kind: "completed", by: "m2", cut: true })).toBe(
      "-# answered by m2\n-# ⚠️ The answer was cut off at the model's length limit. Send another message to continue.",
    );
    expect(endingNotice({ kind: "completed", cut: true, quiet: true })).toBeNull();
    // Without any text, there is no part above to point to.
    for (const kind of ["turn_deadline", "interrupted"] as const) {
      expect(endingNotice({ kind })).toContain(". The part above is what I had. Send another");
      expect(endingNotice({ kind }, false)).toMatch(/[a-z]\. Send another message to continue\.$/);
    }
    for (const ending of failures) expect(endingNotice({ ...ending, quiet: true })).toBeNull();
    for (const ending of doings) expect(endingNotice({ ...ending, quiet: true })).toBe(endingNotice(ending));
  });
});

describe("answers to requests", () => {
  it("say what was stopped and how many messages were cleared", () => {
    expect(stopText({ result: "stopped", ofUserId: "7", what: "running", cleared: 0 })).toBe(
      "Stopped the answer to <@7>.",
    );
    expect(stopText({ result: "stopped", ofUserId: "7", what: "running", cleared: 1 })).toBe(
      "Stopped the answer to <@7>. Cleared one waiting message.",
    );
    expect(stopText({ result: "cleared_queue", cleared: 3 })).toBe("Nothing was running. Cleared 3 waiting messages.");
  });

  it("name the limit that caused a refusal", () => {
    expect(refusalText({ reason: "queue_full", limit: 10 })).toContain("(10)");
    expect(refusalText({ reason: "queue_full", limit: 0 })).not.toContain("0");
    // The answer under way may be the same person's.
    expect(refusalText({ reason: "queue_full", limit: 0 })).not.toContain("someone else");
    expect(refusalText({ reason: "user_share_full", limit: 3 })).toContain("3 messages");
    expect(refusalText({ reason: "user_share_full", limit: 1 })).toContain("already have a message");
  });
});

describe("the status report", () => {
  it("shows the turn, step, tool, time and queue", () => {
    const report: StatusReport = {
      running: {
        userId: "7",
        phase: "tools",
        iteration: 2,
        maxIterations: 100,
        tool: { name: "fetch_url", forMs: 4400 },
        elapsedMs: 61_000,
        deadlineInMs: 3_539_000,
        stopping: false,
      },
      queue: ["8", "9"],
      parked: ["7"],
    };
    expect(statusText(report).split("\n")).toEqual([
      "Answering <@7> for 61 s: using tools, step 3 of 100.",
      "Tool: `fetch_url` for 4 s.",
      "Time left: 59 min.",
      "Waiting: <@8>, <@9>.",
      "Waiting for approval: <@7>.",
    ]);
    const approvals = [{ tool: "pin_message", expiresInMs: 125_000 }, null];
    expect(
      statusText({ running: null, queue: [], parked: ["7", "8"], approvals })
        .split("\n")
        .at(-1),
    ).toBe("Waiting for approval: <@7> for `pin_message` (2 min left), <@8>.");
    expect(statusText({ running: null, queue: [], parked: [] })).toBe("Nothing is running.\nNo one is waiting.");
  });
});

// How a model call is recorded for the inspector.
import { describe, expect, it } from "vitest";
import { endedCall } from "../../src/turn/call-note.ts";
import type { StreamResult } from "../../src/turn/stream-result.ts";

const HEARD = { accumulatedText: "", detailsContent: "", thoughtLog: "", hasBegun: true };
const call = { at: 1000, ms: null, model: "m", firstMs: null, outcome: null, usage: null, contents: null };
const times = { begunAt: 1200, endedAt: 1900, usage: null, retries: [] };
const ended: StreamResult = { ...HEARD, status: "completed", finishReason: "stop", usage: null, native: null };

describe("the end of a model call", () => {
  it("is recorded with its length, and with the time to its first word if it had one", () => {
    const note = { ...call, ms: 900, firstMs: 200, outcome: "answered" };
    expect(endedCall(call, ended, times)).toEqual(note);
    expect(endedCall(call, ended, { ...times, begunAt: null })).toEqual({ ...note, firstMs: null });
  });

  it("is recorded with the requests that were repeated", () => {
    const retries = [{ at: 1100, waitMs: 20, reason: "overloaded" }];
    expect(endedCall(call, ended, { ...times, retries })).toMatchObject({ retries });
  });

  it.each([
    ["failed", "error"],
    ["timed_out", "timeout"],
  ] as const)("is recorded with the reason of a call that %s", (outcome, status) => {
    const data = { reason: "overloaded", message: "Busy." } as const;
    expect(endedCall(call, { ...HEARD, status, data }, times)).toMatchObject({ outcome, reason: "overloaded" });
  });
});

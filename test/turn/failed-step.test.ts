// What a failed model call leaves behind: one line of level error and one timeline entry, whose provider's words only moderators read.
import { expect, it } from "vitest";
import type { ModelFailure } from "../../src/core/state/ending.ts";
import type { ModelCallNote } from "../../src/core/state/inspected.ts";
import { noteFailedStep, noteRetry } from "../../src/turn/failed-step.ts";
import type { Log, Model, TurnStore } from "../../src/turn/ports.ts";
import type { StreamResult } from "../../src/turn/stream-result.ts";

type Params = Parameters<typeof noteRetry>[0];

function observe(act: (params: Params) => void): unknown[] {
  const seen: unknown[] = [];
  const log: Log = { info() {}, warn() {}, error: (...line) => void seen.push(["error", ...line]) };
  const store = {
    note: (...entry: unknown[]) => void seen.push(["note", ...entry]),
  } as Partial<TurnStore> as TurnStore;
  act({ log, store, model: { name: "small" } as Model, turnId: "77" });
  return seen;
}

const heard = { accumulatedText: "", detailsContent: "", thoughtLog: "", hasBegun: false };
const calledFor = (ms: number): ModelCallNote => ({
  at: 10,
  ms,
  model: "small",
  firstMs: null,
  outcome: "failed",
  usage: null,
  contents: null,
});
const failure: ModelFailure = {
  reason: "no_credit",
  status: 402,
  code: "insufficient_quota",
  message: "You exceeded your current quota.",
};

it("a failed call is logged as an error with model, status, code and the provider's message, and kept for moderators", () => {
  const result: StreamResult = { ...heard, status: "error", data: failure };
  expect(observe((params) => noteFailedStep(params, result, calledFor(90)))).toEqual([
    ["error", "model call failed", { model: "small", turnId: "77", ...failure, durationMs: 90 }],
    [
      "note",
      "model",
      "small, no_credit, 90 ms",
      { forModerators: "status 402, code insufficient_quota: You exceeded your current quota.", call: calledFor(90) },
    ],
  ]);
});

it("a call that is tried again leaves the same, with the wait", () => {
  const busy: ModelFailure = { reason: "overloaded", status: 503, message: "Busy." };
  expect(observe((params) => noteRetry(params, busy, 1000))).toEqual([
    ["error", "model call failed", { model: "small", turnId: "77", ...busy, waitMs: 1000 }],
    ["note", "retry", "small, overloaded, after 1000 ms", { forModerators: "status 503: Busy." }],
  ]);
});

it("an idle timeout is a failure of the model; a stop, a deadline and an empty answer are not", () => {
  const idle: ModelFailure = { reason: "timeout", message: "no progress for 9 ms" };
  const results: StreamResult[] = [
    { ...heard, status: "timeout", data: idle },
    { ...heard, status: "timeout", data: idle, stopReason: { kind: "deadline" } },
    { ...heard, status: "stopped_by_user", stopReason: { kind: "flagged" } },
    { ...heard, status: "empty_response", finishReason: "stop", usage: null },
  ];
  const lines = results.map((result) => observe((params) => noteFailedStep(params, result, calledFor(9))));
  expect(lines.map((line) => line.length)).toEqual([2, 1, 1, 1]);
  expect(lines.flat().filter((line) => (line as string[])[0] === "error")).toHaveLength(1);
});

it("a step that gave an answer leaves nothing", () => {
  const result: StreamResult = { ...heard, status: "completed", finishReason: "stop", usage: null, native: null };
  expect(observe((params) => noteFailedStep(params, result, calledFor(9)))).toEqual([]);
});

// What a new life does with a turn that the last one left.
import { describe, expect, it } from "vitest";
import type { TurnRecord } from "../../../src/core/state/record.ts";
import { recover, takenOver } from "../../../src/core/state/recovery.ts";
import { flag, runningTurn } from "./turns.ts";

const NOW = 1000;
const left = (more: Partial<TurnRecord> = {}) => runningTurn("10", { deadlineAt: NOW + 1, ...more });

describe("taking a turn over", () => {
  it("counts the takeover and fences the old life before anything is done", () => {
    expect(takenOver(left(), "next life", 8, 0)).toMatchObject({
      instance: "next life",
      epoch: 8,
      takeoversWithoutProgress: 1,
      takeovers: 1,
    });
  });

  it("forgets takeovers after progress, but never the total", () => {
    const turn = left({ takeoversWithoutProgress: 2, takeovers: 4, progressAtTakeover: 4 });
    expect(takenOver(turn, "x", 9, 4)).toMatchObject({ takeoversWithoutProgress: 3, takeovers: 5 });
    expect(takenOver(turn, "x", 9, 5)).toMatchObject({
      takeoversWithoutProgress: 0,
      takeovers: 5,
      progressAtTakeover: 5,
    });
  });
});

describe("a turn that was taken over", () => {
  it.each<[string, Partial<TurnRecord>, ReturnType<typeof recover>]>([
    ["goes on", {}, { kind: "resume" }],
    ["goes on in its third life without progress", { takeoversWithoutProgress: 2 }, { kind: "resume" }],
    ["ends in the fourth", { takeoversWithoutProgress: 3 }, { kind: "finish", as: "attempts" }],
    ["goes on in its eighth life in all", { takeovers: 7 }, { kind: "resume" }],
    ["ends in the ninth, progress or not", { takeovers: 8 }, { kind: "finish", as: "attempts" }],
    ["ends when its deadline has come", { deadlineAt: NOW }, { kind: "finish", as: "deadline" }],
    ["ends as stopped when it carries a flag", { stop: flag("stop") }, { kind: "finish", as: "stopped" }],
    [
      "ends as stopped even after its deadline",
      { stop: flag("kill"), deadlineAt: 0, takeoversWithoutProgress: 9 },
      { kind: "finish", as: "stopped" },
    ],
  ])("%s", (_what, more, wanted) => {
    expect(recover(left(more), NOW)).toEqual(wanted);
  });
});

// What a new life does with a turn that the previous life left running.
import { describe, expect, it } from "vitest";
import type { TurnRecord } from "../../../src/core/state/record.ts";
import { recover, takenOver } from "../../../src/core/state/recovery.ts";
import { flag, runningTurn } from "./turns.ts";

const NOW = 1000;
const left = (more: Partial<TurnRecord> = {}) => runningTurn("10", { deadlineAt: NOW + 1, ...more });

describe("taking over a turn", () => {
  it("counts the takeover and fences off the old life before anything else is done", () => {
    expect(takenOver(left(), "next life", 8, 0)).toMatchObject({
      instance: "next life",
      epoch: 8,
      takeoversWithoutProgress: 1,
      takeovers: 1,
    });
  });

  it("resets the count of takeovers after progress, but never the total", () => {
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
    ["continues", {}, { kind: "resume" }],
    ["continues in its third life without progress", { takeoversWithoutProgress: 2 }, { kind: "resume" }],
    ["ends in its fourth life without progress", { takeoversWithoutProgress: 3 }, { kind: "finish", as: "attempts" }],
    ["continues in its eighth life in total", { takeovers: 7 }, { kind: "resume" }],
    ["ends in its ninth life, even with progress", { takeovers: 8 }, { kind: "finish", as: "attempts" }],
    ["ends when its deadline is reached", { deadlineAt: NOW }, { kind: "finish", as: "deadline" }],
    ["ends as stopped if it has a stop flag", { stop: flag("stop") }, { kind: "finish", as: "stopped" }],
    [
      "ends as stopped even after its deadline",
      { stop: flag("kill"), deadlineAt: 0, takeoversWithoutProgress: 9 },
      { kind: "finish", as: "stopped" },
    ],
  ])("%s", (_what, more, wanted) => {
    expect(recover(left(more), NOW)).toEqual(wanted);
  });
});

// What a new life does with a turn that the previous life left running.
import { describe, expect, it } from "vitest";
import { cutCall, recover, takenOver, withCutCall, withCutSounds } from "../../../src/core/decisions/recovery.ts";
import type { TurnRecord } from "../../../src/core/state/record.ts";
import { testRequest } from "../../support/store-contract.ts";
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

describe("a model call that the last life did not finish", () => {
  const ifCut = { inputTokens: 7, outputTokens: 3 };

  it("counts once, with the estimate that was stored for this case", () => {
    const once = withCutCall(left({ checkpoint: { kind: "model", ifCut } }));
    expect(once).toMatchObject({ checkpoint: { kind: "idle" }, usage: { ...ifCut, modelCalls: 1 } });
    expect(withCutCall(once)).toBe(once);
  });

  it("does not count if no estimate was stored", () => {
    const old = left({ checkpoint: { kind: "model" } });
    expect(withCutCall(old)).toBe(old);
  });

  it("cost its estimate and took until now, but never a negative time if the clock went back", () => {
    const call = { at: 400, ms: null, model: "m", firstMs: null, outcome: null, usage: null, contents: null };
    const cut = left({ checkpoint: { kind: "model", ifCut, call } });
    expect(cutCall(cut, NOW)).toEqual({ call: { ...call, ms: 600, outcome: "cut_off", usage: ifCut } });
    expect(cutCall(cut, 399)).toMatchObject({ call: { ms: 0 } });
    expect(cutCall(left({ checkpoint: { kind: "tools" } }), NOW)).toEqual({});
  });
});

describe("the sound files that the last life may have paid for", () => {
  const sound = { id: "5", filename: "a.ogg", contentType: "audio/ogg", size: 1, seconds: 60, url: "", proxyUrl: "" };
  const request = { ...testRequest("1", "10"), attachments: [sound] };
  const idle = left({ request, checkpoint: { kind: "idle" } });

  it("count before the turn's first model call", () => {
    expect(withCutSounds(idle, 0.01).usage).toEqual({ ...idle.usage, microUsd: 10_000 });
  });

  it.each<[string, TurnRecord, number]>([
    ["without a price", idle, 0],
    ["in another step", { ...idle, checkpoint: { kind: "tools" } }, 0.01],
    ["after a model call", { ...idle, usage: { ...idle.usage, modelCalls: 1 } }, 0.01],
    [
      "when their words are stored",
      { ...idle, request: { ...request, heard: [{ ...sound, name: "a.ogg", text: "hi" }] } },
      0.01,
    ],
  ])("do not count %s", (_, turn, usdPerMinute) => {
    expect(withCutSounds(turn, usdPerMinute)).toBe(turn);
  });
});

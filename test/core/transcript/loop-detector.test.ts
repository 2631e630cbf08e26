// The detector of identical calls: what is a loop, when the model is told, when the turn ends.
import { describe, expect, it } from "vitest";
import { judgeRepetition, type PastCall } from "../../../src/core/transcript/loop-detector.ts";

const ran = (fingerprint: string, result = "r"): PastCall => ({ fingerprint, result, refused: false });
const refused = (fingerprint: string): PastCall => ({ fingerprint, result: "refused", refused: true });

describe("the next call of a", () => {
  it.each<[string, PastCall[], string]>([
    ["as the first", [], "run"],
    ["after one of it", [ran("a")], "run"],
    ["after two with the same result", [ran("a"), ran("a")], "refuse"],
    ["after two with different results", [ran("a", "1"), ran("a", "2")], "run"],
    ["after a change and then none", [ran("a", "1"), ran("a", "2"), ran("a", "2")], "refuse"],
    ["with another between", [ran("a"), ran("b"), ran("a")], "run"],
    ["after another", [ran("a"), ran("a"), ran("b")], "run"],
    ["as the fifth", [ran("a"), ran("a"), refused("a"), refused("a")], "refuse"],
    ["as the sixth", [ran("a"), ran("a"), refused("a"), refused("a"), refused("a")], "end"],
    [
      "after a long wait for a change that then stopped",
      [...["1", "2", "3", "4", "5", "5"].map((one) => ran("a", one))],
      "refuse",
    ],
    ["after refusals that another call ended", [ran("a"), ran("a"), refused("a"), ran("b"), ran("a")], "run"],
  ])("%s is judged so", (_, past, verdict) => {
    expect(judgeRepetition(past, "a")).toBe(verdict);
  });
});

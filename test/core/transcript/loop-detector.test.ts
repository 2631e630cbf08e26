// The detector of identical calls: what counts as a loop, when the model is warned, when the turn ends.
import { describe, expect, it } from "vitest";
import { judgeRepetition, type PastCall } from "../../../src/core/transcript/loop-detector.ts";

const ran = (fingerprint: string, result = "r"): PastCall => ({ fingerprint, result, refused: false });
const refused = (fingerprint: string): PastCall => ({ fingerprint, result: "refused", refused: true });

describe("the next identical call", () => {
  it.each<[string, PastCall[], string]>([
    ["runs the first time", [], "run"],
    ["runs after one like it", [ran("a")], "run"],
    ["is refused after two with the same result", [ran("a"), ran("a")], "refuse"],
    ["runs after two with different results", [ran("a", "1"), ran("a", "2")], "run"],
    ["is refused once a changing result stays the same", [ran("a", "1"), ran("a", "2"), ran("a", "2")], "refuse"],
    ["runs with another call in between", [ran("a"), ran("b"), ran("a")], "run"],
    ["runs after another call", [ran("a"), ran("a"), ran("b")], "run"],
    ["is refused the fifth time", [ran("a"), ran("a"), refused("a"), refused("a")], "refuse"],
    ["ends the turn the sixth time", [ran("a"), ran("a"), refused("a"), refused("a"), refused("a")], "end"],
    [
      "is refused after many changing results once they stop changing",
      [...["1", "2", "3", "4", "5", "5"].map((one) => ran("a", one))],
      "refuse",
    ],
    ["runs when another call followed the refusals", [ran("a"), ran("a"), refused("a"), ran("b"), ran("a")], "run"],
  ])("%s", (_, past, verdict) => {
    expect(judgeRepetition(past, "a")).toBe(verdict);
  });
});

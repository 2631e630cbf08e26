// How often a refusal is logged: once a minute for each reason, with the number of refusals that were not logged.
import { expect, it } from "vitest";
import { countRefusal, type LoggedRefusals, REFUSAL_LOG_GAP_MS } from "../../../src/core/decisions/log-limit.ts";

/** The lines that these refusals produce, in order. */
function linesOf(refusals: [reason: string, at: number][]): unknown[] {
  let logged: LoggedRefusals = {};
  return refusals.flatMap(([reason, at]) => {
    const counted = countRefusal(logged, reason, at);
    logged = counted.logged;
    return counted.line ? [[reason, at, counted.line.unlogged]] : [];
  });
}

it("a flood of one reason is one line a minute, which counts the rest", () => {
  const flood = Array.from({ length: 600 }, (_, n): [string, number] => ["forged", 1000 + n * 250]);
  expect(linesOf(flood)).toEqual([
    ["forged", 1000, 0],
    ["forged", 1000 + REFUSAL_LOG_GAP_MS, 239],
    ["forged", 1000 + 2 * REFUSAL_LOG_GAP_MS, 239],
  ]);
});

it("one reason does not hide another", () => {
  expect(
    linesOf([
      ["forged", 0],
      ["old", 1],
      ["forged", 2],
      ["old", 3],
    ]),
  ).toEqual([
    ["forged", 0, 0],
    ["old", 1, 0],
  ]);
});

it("a clock that is set back does not silence the log", () => {
  expect(
    linesOf([
      ["forged", 900_000],
      ["forged", 0],
    ]),
  ).toEqual([
    ["forged", 900_000, 0],
    ["forged", 0, 0],
  ]);
});

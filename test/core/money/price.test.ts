// What one step costs: exact to the micro-dollar for any price and any count, rounded once.
import { assert, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { type CountedTokens, type Price, readCost, stepCost } from "../../../src/core/money/price.ts";
import { soundCost } from "../../../src/core/money/unit-price.ts";

const MINI: Price = { input: 0.25, cachedInput: 0.025, output: 2 };
const step = (inputTokens: number, outputTokens: number, cachedInputTokens?: number): CountedTokens => ({
  inputTokens,
  outputTokens,
  ...(cachedInputTokens !== undefined && { cachedInputTokens }),
});

describe("a step costs", () => {
  it.each<[string, CountedTokens, Price, number]>([
    ["nothing without tokens", step(0, 0), MINI, 0],
    ["its input and its output", step(10_000, 500), MINI, 3500],
    ["less for input that was cached", step(10_000, 500, 8000), MINI, 1700],
    ["its whole input if nothing is cheaper", step(10_000, 500, 8000), { input: 0.25, output: 2 }, 3500],
    ["nothing for cached input that is free", step(8000, 0, 8000), { ...MINI, cachedInput: 0 }, 0],
    ["no more than its input, however much was cached", step(100, 0, 1000), { ...MINI, cachedInput: 1 }, 100],
    [
      "more for input that was written to a cache",
      { ...step(10_000, 0), cacheWriteTokens: 4000 },
      { ...MINI, cacheWrite: 0.5 },
      3500,
    ],
    ["the same for it if no price is given", { ...step(10_000, 0), cacheWriteTokens: 4000 }, MINI, 2500],
    [
      "for what was cached and what was written, no more than its input",
      { ...step(100, 0, 80), cacheWriteTokens: 80 },
      { input: 1, cachedInput: 0, cacheWrite: 2, output: 0 },
      40,
    ],
    ["nothing if the model is free", step(1000, 1000), { input: 0, output: 0 }, 0],
    ["a whole micro-dollar from a half on", step(2, 0), MINI, 1],
    ["none below a half", step(1, 0), MINI, 0],
    ["its parts together, rounded once", step(1, 1, 0), { input: 0.25, output: 0.25 }, 1],
    ["what a decimal means, if a number would drift", step(100, 0), { input: 1.005, output: 0 }, 101],
    ["a price with six decimals", step(1_000_000, 0), { input: 0.003625, output: 0 }, 3625],
    ["a huge step", step(1_000_000_000, 1_000_000_000), { input: 100_000, output: 0.000001 }, 100_000_000_001_000],
  ])("%s", (_, tokens, price, cost) => {
    expect(stepCost(tokens, price)).toBe(cost);
  });

  it("the sum of what its tokens cost, to within half a micro-dollar", () => {
    const count = integer({ min: 0, max: 2_000_000 });
    const millionths = integer({ min: 0, max: 200_000_000 });
    assert(
      property(tuple(count, count, count), tuple(millionths, millionths, millionths), (tokens, prices) => {
        const [input, output, cached] = tokens;
        const [a, b, c] = prices;
        const price = { input: a / 1e6, cachedInput: c / 1e6, output: b / 1e6 };
        const most = Math.min(cached, input);
        const exact = BigInt(input - most) * BigInt(a) + BigInt(most) * BigInt(c) + BigInt(output) * BigInt(b);
        const rest = BigInt(stepCost(step(input, output, cached), price)) * 1_000_000n - exact;
        expect(rest > -500_000n && rest <= 500_000n).toBe(true);
      }),
    );
  });
});

describe("a cost that a provider reports", () => {
  it.each([
    [0, 0],
    [0.0017, 1700],
    [0.0000005, 1],
    [0.00000049, 0],
    [1.0000005, 1_000_001],
    [1000, 1_000_000_000],
  ])("of %f dollars is %i micro-dollars", (dollars, micro) => {
    expect(readCost(dollars)).toBe(micro);
  });

  it.each([-0.01, 1000.01, 1e300, Number.NaN, Number.POSITIVE_INFINITY, "0.01", null, undefined, {}, [1], true])(
    "is not believed if it is %j",
    (value) => {
      expect(readCost(value)).toBeNull();
    },
  );
});

it("a sound costs by its size if its length, which the sender's program reports, can't be true", () => {
  const byLength = soundCost(0.006, { seconds: 30, size: 180_000 });
  expect([byLength, ...[0, -5, 86_400, 1e308].map((seconds) => soundCost(0.006, { seconds, size: 180_000 }))]).toEqual([
    3000, 6000, 6000, 6000, 6000,
  ]);
});

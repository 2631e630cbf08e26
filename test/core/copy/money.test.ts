// Amounts of money as people read them.
import { expect, it } from "vitest";
import { limitText, moneyText } from "../../../src/core/copy/money.ts";
import { sumLine } from "../../../src/core/copy/usage.ts";
import { NO_USAGE } from "../../../src/core/money/report.ts";

it.each([
  [0, "$0"],
  [1, "less than $0.0001"],
  [99, "less than $0.0001"],
  [100, "$0.0001"],
  [149, "$0.0001"],
  [150, "$0.0002"],
  [12_345, "$0.0123"],
  [500_000, "$0.5000"],
  [999_949, "$0.9999"],
  [999_950, "$1.00"],
  [1_234_567, "$1.23"],
  [1_234_567_890, "$1,234.57"],
])("%i micro-dollars cost %s", (amount, text) => {
  expect(moneyText(amount)).toBe(text);
});

it("a cost that includes tokens of unknown price is marked as incomplete", () => {
  expect([moneyText(12_345, 7), moneyText(1, 7), moneyText(0, 7)]).toEqual([
    "$0.0123 and more",
    "less than $0.0001 and more",
    "$0 and more",
  ]);
  expect(moneyText(12_345, 0)).toBe("$0.0123");
});

it.each([
  [5_000_000, "$5"],
  [500_000, "$0.50"],
  [1_250_000, "$1.25"],
  [1, "$0.000001"],
  [12_345_678_000_100, "$12,345,678.0001"],
])("a limit of %i micro-dollars is %s, exactly as it was set", (amount, text) => {
  expect(limitText(amount)).toBe(text);
});

it.each([
  [0, 0, "Cost: $0."],
  [0, 12, "Cost: not known (no price)."],
  [40_000, 12, "Cost: $0.0400, without 12 tokens of unknown price."],
  [40_000, 5, "Cost: $0.0400, without 5 tokens of unknown price."],
  [40_000, 0, "Cost: $0.0400."],
])("%i micro-dollars and %i of 12 tokens without a price: %s", (microUsd, unpricedTokens, said) => {
  const sum = { ...NO_USAGE, turns: 1, inputTokens: 12, microUsd, unpricedTokens };
  expect(sumLine("You", sum, 0)).toBe(`You: 1 answer, 12 tokens: 12 in (0 cached), 0 out. ${said}`);
});

it("no use costs nothing", () => {
  expect(sumLine("You", NO_USAGE, 0)).toBe("You: 0 answers, 0 tokens. Cost: $0.");
});

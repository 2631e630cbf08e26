// Sums of what turns used: one turn as a sum, and sums of sums, field by field.
import { describe, expect, it } from "vitest";
import { utcDay } from "../../../src/core/money/lease.ts";
import { firstOfMonth, NO_USAGE, plusUsage, sumOf } from "../../../src/core/money/report.ts";

const usage = { inputTokens: 7, cachedInputTokens: 2, outputTokens: 3, modelCalls: 1, microUsd: 11, unpriced: 5 };
const one = { turns: 1, inputTokens: 7, cachedTokens: 2, outputTokens: 3, microUsd: 11, unpricedTokens: 5 };

describe("what turns used", () => {
  it("counts one turn for a person's turn, and none for what nobody asked for", () => {
    expect(sumOf({ usage, userId: "1" })).toEqual(one);
    expect(sumOf({ usage, userId: "" })).toEqual({ ...one, turns: 0 });
    expect(sumOf({ usage: { inputTokens: 1, outputTokens: 2, modelCalls: 1 }, userId: "1" })).toEqual({
      ...NO_USAGE,
      turns: 1,
      inputTokens: 1,
      outputTokens: 2,
    });
  });

  it("is added field by field", () => {
    const other = { turns: 10, inputTokens: 20, cachedTokens: 30, outputTokens: 40, microUsd: 50, unpricedTokens: 60 };
    expect(plusUsage(one, other)).toEqual({
      turns: 11,
      inputTokens: 27,
      cachedTokens: 32,
      outputTokens: 43,
      microUsd: 61,
      unpricedTokens: 65,
    });
    expect(plusUsage(NO_USAGE, other)).toEqual(other);
  });

  it("belongs to a day and to its month, in UTC", () => {
    const day = utcDay(Date.UTC(2026, 10, 30, 23, 59, 59, 999));
    expect([day, firstOfMonth(day), utcDay(Date.UTC(2026, 11, 1))]).toEqual(["2026-11-30", "2026-11-01", "2026-12-01"]);
  });
});

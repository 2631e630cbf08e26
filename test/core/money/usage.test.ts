// The sums of a turn and of a day: exact, however the steps are split over turns, and readable for rows that an older program counted.
import { array, assert, constantFrom, integer, option, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { usedBy, withTokens, withTurn } from "../../../src/core/decisions/budget.ts";
import type { Price } from "../../../src/core/money/price.ts";
import {
  plusStep,
  type TokenUsage,
  type TurnUsage,
  unpricedOf,
  withCost,
  withStep,
} from "../../../src/core/money/usage.ts";
import type { DayUsage } from "../../../src/core/state/day-usage.ts";
import { freeLock } from "../../../src/core/state/record.ts";
import { channel, runningTurn } from "../decisions/turns.ts";

const EMPTY: TurnUsage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
const MINI: Price = { input: 0.25, cachedInput: 0.025, output: 2 };
const NOON = Date.UTC(2030, 0, 1, 12);
const sumOf = (steps: readonly (TokenUsage | null)[]) => steps.reduce(withStep, EMPTY);

describe("a step's cost", () => {
  it("is what the provider reports, else by the model's price, else unknown", () => {
    const step = { inputTokens: 1000, outputTokens: 100 };
    expect(withCost({ ...step, costMicroUsd: 7 }, MINI).costMicroUsd).toBe(7);
    expect(withCost({ ...step, costMicroUsd: 0 }, MINI).costMicroUsd).toBe(0);
    expect(withCost({ ...step, isEstimate: true }, MINI)).toEqual({ ...step, isEstimate: true, costMicroUsd: 450 });
    expect(withCost(step, undefined)).toEqual(step);
  });
});

describe("two tries of one step", () => {
  const first = { inputTokens: 1000, outputTokens: 10, cachedInputTokens: 900, cacheWriteTokens: 50, costMicroUsd: 5 };
  const second = { inputTokens: 1100, outputTokens: 20, cachedInputTokens: 1000, costMicroUsd: 7 };

  it("add up in every figure: read, cached, cache writes, written and cost", () => {
    const both = {
      inputTokens: 2100,
      outputTokens: 30,
      cachedInputTokens: 1900,
      cacheWriteTokens: 50,
      costMicroUsd: 12,
    };
    expect([plusStep(first, second), plusStep(second, first)]).toEqual([both, both]);
  });

  it("are an estimate if one of them is, and have no figure that neither has", () => {
    const estimate = { inputTokens: 1, outputTokens: 1, isEstimate: true } as const;
    const both = { inputTokens: 2, outputTokens: 2, isEstimate: true };
    expect(plusStep(estimate, { inputTokens: 1, outputTokens: 1 })).toEqual(both);
    expect([plusStep(null, estimate), plusStep(estimate, null), plusStep(null, null)]).toEqual([
      estimate,
      estimate,
      null,
    ]);
  });
});

describe("a turn's usage", () => {
  it("has the cost of the steps whose price is known, and the tokens of the others", () => {
    expect(
      sumOf([
        { inputTokens: 10, outputTokens: 2, costMicroUsd: 5, cachedInputTokens: 4 },
        { inputTokens: 20, outputTokens: 3 },
        null,
        { inputTokens: 30, outputTokens: 4, costMicroUsd: 0 },
      ]),
    ).toEqual({ inputTokens: 60, outputTokens: 9, modelCalls: 4, cachedInputTokens: 4, microUsd: 5, unpriced: 23 });
  });

  it("counts the tokens of an older row as unpriced when a cost is added", () => {
    const older: TurnUsage = { inputTokens: 100, outputTokens: 11, modelCalls: 2 };
    expect(unpricedOf(older, 111)).toBe(111);
    expect(withStep(older, { inputTokens: 1, outputTokens: 1, costMicroUsd: 3 })).toEqual({
      inputTokens: 101,
      outputTokens: 12,
      modelCalls: 3,
      microUsd: 3,
      unpriced: 111,
    });
  });
});

describe("any steps", () => {
  const count = integer({ min: 0, max: 100_000 });
  const price = constantFrom<(Price | undefined)[]>(MINI, { input: 1.1, output: 4.4 }, undefined);
  const steps = array(
    record({
      input: count,
      output: count,
      cached: count,
      price,
      reported: option(count),
      user: constantFrom("7", "8"),
    }),
    { maxLength: 12 },
  );

  it("cost the same in one turn, in many, and in the day that sums the turns", () => {
    assert(
      property(steps, array(integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 }), (made, turns) => {
        const priced = made.map(({ input, output, cached, price, reported, user }, index) => {
          const cachedInputTokens = Math.min(cached, input);
          const counted = {
            inputTokens: input,
            outputTokens: output,
            ...(cachedInputTokens > 0 && { cachedInputTokens }),
            ...(reported !== null && { costMicroUsd: reported }),
          };
          return { step: withCost(counted, price), key: `${user}${turns[index]}`, user };
        });
        const groups = [...Map.groupBy(priced, ({ key }) => key).values()];
        const records = groups.map((group) =>
          runningTurn(group[0]?.user ?? "7", { startedAt: NOON, usage: sumOf(group.map(({ step }) => step)) }),
        );
        const day = records.reduce<DayUsage>(
          (usage, turn) => withTokens(withTurn(usage, turn.request.userId, NOON), turn),
          emptyDay,
        );
        const { inputTokens, outputTokens, modelCalls, ...rest } = sumOf(priced.map(({ step }) => step));
        expect(modelCalls).toBe(made.length);
        const tokens = inputTokens + outputTokens;
        expect(day.channel).toEqual({ turns: records.length, tokens, ...(tokens > 0 && { inputTokens }), ...rest });
        const people = Object.values(day.users);
        for (const field of ["turns", "tokens", "cachedInputTokens", "microUsd", "unpriced"] as const)
          expect(people.reduce((sum, used) => sum + (used[field] ?? 0), 0)).toBe(day.channel[field] ?? 0);
        const [unfinished, ...ended] = records;
        if (!unfinished) return;
        const stored = records
          .map(({ request }) => request.userId)
          .reduce((usage, userId) => withTurn(usage, userId, NOON), emptyDay);
        const lock = { ...freeLock, usage: ended.reduce(withTokens, stored) };
        expect(usedBy(channel({ running: unfinished, lock }), "7", NOON).channel).toEqual(day.channel);
      }),
    );
  });
});

const emptyDay: DayUsage = { day: "2030-01-01", channel: { turns: 0, tokens: 0 }, users: {} };

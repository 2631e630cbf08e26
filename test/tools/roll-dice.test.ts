// Dice: which notations are rolled, within which limits, and that every roll is one that the dice can show.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rollDice } from "../../src/tools/roll-dice.ts";
import { testContext } from "../toolkit/context.ts";

const roll = (notation: string, random: () => number = () => 0) =>
  rollDice.execute({ notation }, testContext({ random })) as {
    ok: boolean;
    data?: { notation: string; rolls: number[]; modifier: number; total: number };
    error?: string;
  };

describe("a roll", () => {
  it.each([
    ["d20", [1], 0, 1],
    ["1d6", [1], 0, 1],
    ["3d6", [1, 1, 1], 0, 3],
    ["2D10+4", [1, 1], 4, 6],
    ["2d10 - 4", [1, 1], -4, -2],
    ["2d10+ 4", [1, 1], 4, 6],
    ["  d1  ", [1], 0, 1],
    ["01d06", [1], 0, 1],
    ["d6+0", [1], 0, 1],
    ["1d10000", [1], 0, 1],
    ["1d1000000+1000000", [1], 1_000_000, 1_000_001],
  ])("of %j adds up its dice and its modifier", (notation, rolls, modifier, total) => {
    expect(roll(notation)).toEqual({ ok: true, data: { notation: notation.trim(), rolls, modifier, total } });
  });

  it("may have 100 dice, the maximum", () => {
    expect(roll("100d2").data?.rolls).toHaveLength(100);
  });

  it.each([
    "",
    "d",
    "6",
    "3d",
    "0d6",
    "d0",
    "3d0",
    "101d6",
    "999d6",
    "1000d6",
    "1d1000001",
    "1d10000000",
    "-1d6",
    "1d-6",
    "1.5d6",
    "3d6+",
    "3d6+1000001",
    "3d6*2",
    "3d6+1d4",
    "3 d 6",
    "three d six",
    "３d６",
    "1d6; drop",
    "1e3d6",
  ])("of %j is refused with the limits", (notation) => {
    expect(roll(notation)).toEqual({
      ok: false,
      error: `I can't roll "${notation}": use 1 to 100 dice of at most 1000000 sides, as in 3d6 or 2d10+4`,
    });
  });

  it("shows sides from 1 to the highest for every random value, and adds up", () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const die = fc.record({
      dice: fc.integer({ min: 1, max: 100 }),
      sides: fc.integer({ min: 1, max: 1_000_000 }),
      bonus: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      chances: fc.array(chance, { minLength: 1, maxLength: 10 }),
    });
    fc.assert(
      fc.property(die, ({ dice, sides, bonus, chances }) => {
        let drawn = 0;
        const source = () => chances[drawn++ % chances.length] ?? 0;
        const { data } = roll(`${dice}d${sides}${bonus < 0 ? bonus : `+${bonus}`}`, source);
        const rolls = data?.rolls ?? [];
        expect([rolls.length, drawn]).toEqual([dice, dice]);
        for (const one of rolls) expect(Number.isInteger(one) && one >= 1 && one <= sides).toBe(true);
        expect(data?.total).toBe(rolls.reduce((sum, one) => sum + one, 0) + bonus);
      }),
      { numRuns: 1000 },
    );
  });

  it("reaches the highest side at the top of the random range", () => {
    expect(roll("3d6", () => 1 - Number.EPSILON / 2).data?.rolls).toEqual([6, 6, 6]);
  });
});

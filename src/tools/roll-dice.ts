// Tool: rolls dice in the usual notation.
import { describe, object, string } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

const NOTATION = /^(\d{0,3})d(\d{1,7})\s*(?:([+-])\s*(\d{1,7}))?$/i;
const MAX_DICE = 100;
/** The most sides of a die, and the largest bonus: this also covers the random numbers that people ask for. */
const MOST = 1_000_000;

/** Rolls with the call's random source. */
export const rollDice = defineTool({
  name: "roll_dice",
  description:
    "Rolls dice and returns each die and the total. Use it whenever somebody wants dice, a coin (1d2) or a random number; never make up a roll.",
  input: object({
    notation: string().check(
      describe("Dice notation: count, d, sides and an optional bonus, such as 3d6, d20 or 2d10+4."),
    ),
  }),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  triggers: triggers.roll_dice,
  execute({ notation }, { random }) {
    const [, count, sides, sign, bonus] = notation.trim().match(NOTATION) ?? [];
    const dice = count === "" ? 1 : Number(count);
    const isRollable = dice >= 1 && dice <= MAX_DICE && Number(sides) >= 1;
    if (!isRollable || Number(sides) > MOST || Number(bonus ?? 0) > MOST)
      return {
        ok: false,
        error: `I can't roll "${notation}": use 1 to ${MAX_DICE} dice of at most ${MOST} sides, as in 3d6 or 2d10+4`,
      };
    const rolls = Array.from({ length: dice }, () => 1 + Math.floor(random() * Number(sides)));
    const modifier = sign ? Number(`${sign}${bonus}`) : 0;
    const total = rolls.reduce((sum, roll) => sum + roll, modifier);
    return { ok: true, data: { notation: notation.trim(), rolls, modifier, total } };
  },
});

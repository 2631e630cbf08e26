// Tool: rolls dice in the usual notation.
import { describe, object, string } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";

const NOTATION = /^(\d{0,3})d(\d{1,4})\s*(?:([+-])\s*(\d{1,5}))?$/i;
const MAX_DICE = 100;

/** Rolls with the call's random source. */
export const rollDice = defineTool({
  name: "roll_dice",
  description:
    "Rolls dice and tells each die and the total. Use it whenever somebody wants dice, a coin (1d2) or a random number; never make up a roll.",
  input: object({
    notation: string().check(
      describe("Dice notation: count, d, sides and an optional bonus, such as 3d6, d20 or 2d10+4."),
    ),
  }),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  triggers: {
    phrases: ["heads or tails", "掷骰子", "扔骰子", "抛硬币", "コイントス"],
    patterns: [
      "\\b\\d{1,3}[dw]\\d{1,4}\\b|^d\\d{1,3}(?: please)?[?!.]*$",
      "\\b(?:roll|throw|toss) (?:me |us )?(?:a |an |the |some |two |three |four |five |six |\\d |your |my )?(?:dice|die|d\\d{1,3})\\b",
      "\\b(?:flip|toss|throw) (?:a|the|that|my|your|some) coins?\\b",
      "\\b(?:give|pick|generate|choose|draw|roll|tell) (?:me |us )?(?:a |some )?random (?:number|integer)s?\\b|\\brandom (?:number|integer) (?:between|from)\\b",
      "\\broll (?:for (?:initiative|damage|perception|stealth)|initiative|to hit|damage|with advantage)\\b",
      "\\b(?:würfle|würfel) (?:bitte|mal|mir|für|um|einmal|zweimal|ein|eine|einen|zwei|drei|die|den|\\d)|\\bwirf (?:eine|die|ne|einen|den) (?:münze|würfel)\\b",
      "サイコロを?(?:振|ふ)|주사위.{0,6}(?:굴려|던져)",
    ],
  },
  execute({ notation }, { random }) {
    const [, count, sides, sign, bonus] = notation.trim().match(NOTATION) ?? [];
    const dice = count === "" ? 1 : Number(count);
    if (!sides || dice < 1 || dice > MAX_DICE || Number(sides) < 1)
      return {
        ok: false,
        error: `"${notation}" is no dice notation I can roll: 1 to ${MAX_DICE} dice, as in 3d6 or 2d10+4`,
      };
    const rolls = Array.from({ length: dice }, () => 1 + Math.floor(random() * Number(sides)));
    const modifier = sign ? Number(`${sign}${bonus}`) : 0;
    const total = rolls.reduce((sum, roll) => sum + roll, modifier);
    return { ok: true, data: { notation: notation.trim(), rolls, modifier, total } };
  },
});

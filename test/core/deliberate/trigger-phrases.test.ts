// A channel's own triggers: what a phrase matches, and the rules of what may be added.
import { describe, expect, it } from "vitest";
import { triggerFaultText } from "../../../src/core/copy/trigger-faults.ts";
import { matchText, triggerSet } from "../../../src/core/deliberate/tool-matches.ts";
import {
  type CustomTrigger,
  MAX_TRIGGERS_PER_TOOL,
  withoutTrigger,
  withTrigger,
} from "../../../src/core/deliberate/trigger-phrases.ts";

const phrase = (text: string, tool = "roll_dice"): CustomTrigger => ({ tool, kind: "phrase", text });
const pattern = (text: string, tool = "roll_dice"): CustomTrigger => ({ tool, kind: "pattern", text });
const matches = (trigger: CustomTrigger, message: string) =>
  matchText(triggerSet("custom", [trigger]), message).matches.length > 0;

describe("a phrase", () => {
  it.each([
    ["folds case and white space", "Art Of  WAR", "the ART\n of\twar!", true],
    ["that is a word is bounded on its left", "art", "start", false],
    ["that is a word is bounded on its right", "art", "artist", false],
    ["that is a word is bounded by hyphens too", "art", "state-of-the-art", false],
    ["that is a word stands between punctuation", "art", "(art)", true],
    ["with a star is a stem", "art*", "artists", true],
    ["with a star is bounded on its left all the same", "art*", "start", false],
    ["of several words is bounded at its ends", "roll it", "scroll it", false],
    ["of several words may end in a stem", "roll it*", "roll items", true],
    ["that ends in a sign is not bounded there", "c++", "c++11 rocks", true],
    ["in Chinese matches within a sentence", "骰子", "请掷骰子吧", true],
    ["in Japanese matches within a sentence", "サイコロ", "赤いサイコロを振って", true],
    ["in Korean matches with what is attached to it", "주사위", "주사위를 굴려", true],
    ["^ alone exposes the tool on every turn", "^", "", true],
    ["with a dot means the dot", "a.b", "axb", false],
  ])("%s", (_name, text, message, isFound) => {
    expect(matches(phrase(text), message)).toBe(isFound);
  });
});

describe("adding a trigger", () => {
  it("keeps it folded and the list sorted, so that adding in another order gives the same", () => {
    const [one, two] = [phrase("  Roll   IT "), pattern("dic?e")];
    const added = [one, two].reduce<CustomTrigger[]>((list, trigger) => {
      const next = withTrigger(list, trigger);
      return next.ok ? next.triggers : list;
    }, []);
    expect(added).toEqual([pattern("dic?e"), phrase("roll it")]);
  });

  const rule = (list: CustomTrigger[], trigger: CustomTrigger) => {
    const next = withTrigger(list, trigger);
    return next.ok ? null : triggerFaultText(next.fault);
  };
  const full = Array.from({ length: MAX_TRIGGERS_PER_TOOL }, (_, index) => phrase(`word${index}`));

  it.each([
    ["a phrase of 40 characters", [], phrase("x".repeat(40)), null],
    ["a phrase of 41", [], phrase("x".repeat(41)), "A phrase can have at most 40 characters."],
    ["a pattern of 120", [], pattern("x".repeat(120)), null],
    ["a pattern of 121", [], pattern("x".repeat(121)), "A pattern can have at most 120 characters."],
    ["nothing", [], phrase("  "), "The phrase is empty."],
    ["a star alone", [], phrase("*"), "The phrase is empty."],
    ["the same in other letters", [phrase("roll it")], phrase("ROLL it"), "`roll_dice` already has this trigger."],
    ["the same for another tool", [phrase("roll it")], phrase("roll it", "recall"), null],
    ["the sixteenth", full.slice(1), phrase("one more"), null],
    [
      "a seventeenth",
      full,
      phrase("one more"),
      "`roll_dice` already has 16 triggers, the most a tool can have. Remove one first.",
    ],
    [
      "a pattern that repeats a repetition",
      [],
      pattern("(a+)+"),
      "The pattern is not allowed: a repetition can't be repeated, as in `(a+)+`.",
    ],
  ])("%s", (_name, list, trigger, wanted) => {
    expect(rule(list, trigger)).toBe(wanted);
  });

  it("stops where all of a channel's triggers together would be too much work for one message", () => {
    let list: CustomTrigger[] = [];
    let refused: string | null = null;
    for (let index = 0; index < 100 && refused === null; index++) {
      const next = withTrigger(list, pattern(`x{80}${index}`, `tool_${index % 10}`));
      if (next.ok) list = next.triggers;
      else refused = triggerFaultText(next.fault);
    }
    expect(refused).toBe("This channel's triggers are too much work together. Remove some first.");
    const { steps } = matchText(triggerSet("custom", list), "x".repeat(6000));
    expect(steps).toBeLessThanOrEqual(6000 * 6001);
  });

  it("is taken back by the same words, and by no others", () => {
    const list = [phrase("roll it"), pattern("dic?e")];
    expect(withoutTrigger(list, phrase(" Roll It"))).toEqual([pattern("dic?e")]);
    expect(withoutTrigger(list, phrase("dic?e"))).toBeNull();
  });
});

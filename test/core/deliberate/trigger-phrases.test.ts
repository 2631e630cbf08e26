// A channel's own triggers: what a phrase matches, and the rules for adding one.
import { describe, expect, it } from "vitest";
import { triggerFaultText } from "../../../src/core/copy/trigger-faults.ts";
import { MAX_TRIGGERS_PER_TOOL, withoutTrigger, withTrigger } from "../../../src/core/deliberate/channel-triggers.ts";
import { matchText, triggerSet } from "../../../src/core/deliberate/tool-matches.ts";
import type { CustomTrigger } from "../../../src/core/deliberate/trigger-phrases.ts";

const phrase = (text: string, tool = "roll_dice"): CustomTrigger => ({ tool, kind: "phrase", text });
const pattern = (text: string, tool = "roll_dice"): CustomTrigger => ({ tool, kind: "pattern", text });
const matches = (trigger: CustomTrigger, message: string) =>
  matchText(triggerSet("custom", [trigger]), message).matches.length > 0;

describe("a phrase", () => {
  it.each([
    ["ignores case and extra white space", "Art Of  WAR", "the ART\n of\twar!", true],
    ["does not match a word that ends with it", "art", "start", false],
    ["does not match a word that begins with it", "art", "artist", false],
    ["does not match a part of a hyphenated word", "art", "state-of-the-art", false],
    ["matches between punctuation", "art", "(art)", true],
    ["matches words that begin with it if it ends in a star", "art*", "artists", true],
    ["does not match a word's ending even with a star", "art*", "start", false],
    ["of several words does not match inside a longer word", "roll it", "scroll it", false],
    ["of several words may end in a star", "roll it*", "roll items", true],
    ["matches before any character if it ends in a symbol", "c++", "c++11 rocks", true],
    ["in Chinese matches within a sentence", "骰子", "请掷骰子吧", true],
    ["in Japanese matches within a sentence", "サイコロ", "赤いサイコロを振って", true],
    ["in Korean matches a word with a particle attached", "주사위", "주사위를 굴려", true],
    ["exposes the tool on every turn if it is only ^", "^", "", true],
    ["takes a dot literally", "a.b", "axb", false],
  ])("%s", (_name, text, message, isFound) => {
    expect(matches(phrase(text), message)).toBe(isFound);
  });
});

describe("adding a trigger", () => {
  it("folds its text and keeps the list sorted, so that the order of additions doesn't matter", () => {
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
    ["accepts a phrase of 40 characters", [], phrase("x".repeat(40)), null],
    ["refuses a phrase of 41 characters", [], phrase("x".repeat(41)), "A phrase can have at most 40 characters."],
    ["accepts a pattern of 120 characters", [], pattern("x".repeat(120)), null],
    ["refuses a pattern of 121 characters", [], pattern("x".repeat(121)), "A pattern can have at most 120 characters."],
    ["refuses an empty phrase", [], phrase("  "), "The phrase is empty. Write a word."],
    ["refuses a star alone", [], phrase("*"), "The phrase is empty. Write a word."],
    [
      "refuses the same in other letters",
      [phrase("roll it")],
      phrase("ROLL it"),
      "`roll_dice` already has this trigger.",
    ],
    ["accepts the same phrase for another tool", [phrase("roll it")], phrase("roll it", "recall"), null],
    ["accepts the sixteenth", full.slice(1), phrase("one more"), null],
    [
      "refuses the seventeenth",
      full,
      phrase("one more"),
      "`roll_dice` already has 16 triggers, the most a tool can have. Remove one first.",
    ],
    [
      "refuses a pattern that repeats a repetition",
      [],
      pattern("(a+)+"),
      "The pattern is not allowed: a repetition can't be repeated, as in `(a+)+`.",
    ],
  ])("%s", (_name, list, trigger, wanted) => {
    expect(rule(list, trigger)).toBe(wanted);
  });

  it("keeps the list in the order of tools and words", () => {
    const added = [phrase("b"), phrase("c", "recall"), phrase("a"), phrase("c")];
    const all = added.reduce<CustomTrigger[]>((list, trigger) => {
      const next = withTrigger(list, trigger);
      return next.ok ? next.triggers : list;
    }, []);
    expect(all.map(({ tool, text }) => `${tool} ${text}`)).toEqual([
      "recall c",
      "roll_dice a",
      "roll_dice b",
      "roll_dice c",
    ]);
  });

  it("is refused if all of a channel's triggers together would be too much work for one message", () => {
    let list: CustomTrigger[] = [];
    let refused: string | null = null;
    for (let index = 0; index < 100 && refused === null; index++) {
      const next = withTrigger(list, pattern(`x{80}${index}`, `tool_${index % 10}`));
      if (next.ok) list = next.triggers;
      else refused = triggerFaultText(next.fault);
    }
    expect(refused).toBe("Together, this channel's triggers take too long to match. Remove some first.");
    const { steps } = matchText(triggerSet("custom", list), "x".repeat(6000));
    expect(steps).toBeLessThanOrEqual(6000 * 6001);
  });

  it("is refused from the first instruction that exceeds the channel's limit", () => {
    const hundred = (at: number) => pattern(`x{97}${at + 10}`, `tool_${at % 10}`);
    const full = Array.from({ length: 59 }, (_, at) => hundred(at));
    const added = withTrigger(full, hundred(59));
    expect(added.ok).toBe(true);
    expect(rule(added.ok ? added.triggers : [], phrase("^", "recall"))).toBe(
      "Together, this channel's triggers take too long to match. Remove some first.",
    );
  });

  it("is undone only by the same words", () => {
    const list = [phrase("roll it"), pattern("dic?e")];
    expect(withoutTrigger(list, phrase(" Roll It"))).toEqual([pattern("dic?e")]);
    expect(withoutTrigger(list, phrase("dic?e"))).toBeNull();
  });
});

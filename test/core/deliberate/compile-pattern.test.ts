// The trigger matcher: it agrees with JavaScript's own engine, and is never slow where that engine is.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, MAX_INSTRUCTIONS, type Program } from "../../../src/core/deliberate/compile-pattern.ts";
import { type MatchingText, matchingText } from "../../../src/core/deliberate/matching-text.ts";
import { combine, searchAll } from "../../../src/core/deliberate/side-by-side.ts";

/** Whether this one pattern occurs anywhere in the text. `steps` counts the visited instructions. */
function search(program: Program, text: MatchingText) {
  const { found, steps } = searchAll(combine([program]), text);
  return { found: found[0] === true, steps };
}
function programOf(pattern: string): Program {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) throw new Error(`${pattern}: ${compiled.fault}`);
  return compiled.program;
}
const finds = (pattern: string, text: string) => search(programOf(pattern), matchingText(text)).found;

const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  " ",
  ".",
  "[ab]",
  "[^a]",
  "[a-b1]",
  "\\d",
  "\\D",
  "\\s",
  "\\S",
  "(a|bc)",
  "(?:ab|)",
);
const piece = fc
  .tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "{1,}", "+?"))
  .map((both) => both.join(""));
const sequence = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));
const pattern = fc
  .tuple(fc.constantFrom("", "^"), fc.array(sequence, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "$"))
  .map(([start, options, end]) => `${start}(${options.join("|")})${end}`);
const text = fc.array(fc.constantFrom("a", "b", "c", "1", "x y"), { maxLength: 8 }).map((parts) => parts.join(""));

describe("a search", () => {
  it("finds what JavaScript's own engine finds, with work bounded by the lengths of program and text", () => {
    let compared = 0;
    fc.assert(
      fc.property(pattern, text, (source, message) => {
        const compiled = compilePattern(source);
        if (!compiled.ok) return;
        compared++;
        const ready = matchingText(message);
        const { found, steps } = search(compiled.program, ready);
        expect(found).toBe(new RegExp(source, "iu").test(ready.chars.join("")));
        expect(steps).toBeLessThanOrEqual(compiled.program.length * (ready.chars.length + 1));
      }),
      { numRuns: 5000 },
    );
    expect(compared).toBeGreaterThan(1000);
  });

  it.each([
    ["(?:a|a|a|aa)*b", "a".repeat(6000)],
    ["a*a*a*a*a*a*a*a*b", "a".repeat(6000)],
    [".*.*.*.*=.*", "x".repeat(6000)],
    ["(?:.|a){1,30}c", "ab".repeat(3000)],
    ["\\w+\\s\\w+\\s\\w+!", "word ".repeat(1200)],
    [`${"(x|y)?".repeat(20)}z`, "xy".repeat(3000)],
  ])("runs %s over 6,000 characters within its bound, where other engines take forever", (source, message) => {
    const program = programOf(source);
    const ready = matchingText(message);
    const { found, steps } = search(program, ready);
    expect(found).toBe(false);
    expect(steps).toBeLessThanOrEqual(program.length * (ready.chars.length + 1));
    expect(program.length).toBeLessThanOrEqual(MAX_INSTRUCTIONS);
  });

  it("looks at no more than 6,000 characters of a message, even if folding turns one into eighteen", () => {
    expect(matchingText("ﷺ".repeat(6000)).chars).toHaveLength(6000);
    expect(matchingText("x".repeat(50_000)).chars).toHaveLength(6000);
  });

  it("knows where words begin and end, in every script that has words", () => {
    expect([finds("\\bpin\\b", "Pin that!"), finds("\\bpin\\b", "spinning"), finds("\\bpin\\b", "re-pin")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([finds("\\bwürfle\\b", "bitte WÜRFLE!"), finds("\\bwürf\\b", "würfle")]).toEqual([true, false]);
    expect(finds("\\bd20\\b", "请掷d20吧")).toBe(true);
    expect([finds("in\\Bg", "pin g"), finds("in\\Bg", "ping")]).toEqual([false, true]);
  });

  it("reads every kind of class member", () => {
    const finding = (pattern: string, text: string) =>
      [...text].filter((char) => finds(`x${pattern}x`, `x${char}x`)).join("");
    expect(finding("[ab\\d]", "abc5 ")).toBe("ab5");
    expect(finding("[a\\-\\]]", "a-]\\b")).toBe("a-]");
    expect(finding("[b-d]", "abcde")).toBe("bcd");
    expect(finding("[a-]", "a-b")).toBe("a-");
    expect(finding("[^b]", "abc")).toBe("ac");
    expect(finding("[\\D]", "a5")).toBe("a");
    expect(finding("[\\s-]", "a -")).toBe(" -");
  });

  it("repeats exactly as often as a count with equal bounds says", () => {
    expect(["a", "aa", "aaa"].map((text) => finds("^a{2,2}$", text))).toEqual([false, true, false]);
  });

  it("folds case, width, quotes and white space", () => {
    expect(finds("what's [A-C]P", "ｗｈａｔ’s\n\t Bp")).toBe(true);
    expect(finds("“what’s[”]", '"what\'s"')).toBe(true);
  });
});

describe("a pattern that is refused", () => {
  it.each([
    ["(a+)+b", "nested_quantifier"],
    ["(a?b)*", "nested_quantifier"],
    ["((a)|b{2})?c", "nested_quantifier"],
    ["a**", "nested_quantifier"],
    ["*a", "nothing_to_repeat"],
    ["a|+b", "nothing_to_repeat"],
    ["\\b+a", "nothing_to_repeat"],
    ["a{2,1}", "bad_count"],
    ["a{101}", "bad_count"],
    ["a{1003}", "bad_count"],
    ["a{0,101}", "bad_count"],
    ["a{101,}", "bad_count"],
    ["a{x}", "bad_count"],
    ["a{2", "bad_count"],
    ["(?=a)b", "not_supported"],
    ["(?<!a)b", "not_supported"],
    ["(?<n>a)", "not_supported"],
    ["(a)\\1", "not_supported"],
    ["\\p{L}a", "not_supported"],
    ["a\\", "not_supported"],
    ["(a", "unclosed_group"],
    ["a)b", "unopened_group"],
    ["[ab", "unclosed_class"],
    ["[a\\", "unclosed_class"],
    ["[\\q]", "not_supported"],
    ["[\\1]", "not_supported"],
    ["[b-a]", "bad_range"],
    ["[a-\\d]", "bad_range"],
    ["a*", "matches_nothing"],
    ["", "matches_nothing"],
    ["^", "matches_nothing"],
    ["a|", "matches_nothing"],
    ["(abcd){100}", "too_large"],
    [Array(100).fill("a").join("|"), "too_large"],
    ["(abc){99,}", "too_large"],
    ["a".repeat(300), "too_large"],
  ])("%s: %s", (source, fault) => {
    expect(compilePattern(source)).toEqual({ ok: false, fault });
  });

  it.each(["(abc){98,}", "a".repeat(299), Array(99).fill("a").join("|")])(
    "is accepted if it is one size smaller: %s",
    (source) => {
      expect(compilePattern(source).ok).toBe(true);
    },
  );
});

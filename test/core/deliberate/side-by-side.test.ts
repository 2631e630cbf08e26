// The work that a search does, and when it gives up.
import { expect, it } from "vitest";
import { compilePattern } from "../../../src/core/deliberate/compile-pattern.ts";
import { matchingText } from "../../../src/core/deliberate/matching-text.ts";
import { combine, searchAll } from "../../../src/core/deliberate/side-by-side.ts";

function run(pattern: string, text: string, most: number) {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) throw new Error(`${pattern}: ${compiled.fault}`);
  return searchAll(combine([compiled.program]), matchingText(text), most);
}

const DIFFERENT = "abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρστυφχψω";

it.each([
  ["the same character again and again", "ab", `${"a".repeat(1000)}b`],
  ["characters of which a class is asked for the first time", "\\db", `${DIFFERENT}1b`],
])("a search gives up when its work budget is used up: %s", (_what, pattern, text) => {
  expect(run(pattern, text, 100).found).not.toContain(true);
  expect(run(pattern, text, 1_000_000).found).toEqual([true]);
});

it("a plain character costs exactly one step, and a class costs more", () => {
  const plain = run("1", DIFFERENT, 1_000_000);
  expect(plain.steps).toBeGreaterThan(0);
  expect(plain.work).toBe(plain.steps);
  expect(run("\\d", DIFFERENT, 1_000_000).work).toBeGreaterThan(plain.work);
});

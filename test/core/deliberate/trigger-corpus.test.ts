// The shipped triggers, checked against sentences that were written before them: ordinary ones that must expose nothing, and
// requests that must expose their tool.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fold } from "../../../src/core/deliberate/matching-text.ts";
import { matchText, triggerSet } from "../../../src/core/deliberate/tool-matches.ts";
import { compileTrigger } from "../../../src/core/deliberate/trigger-phrases.ts";
import { shippedTriggers } from "../../../src/toolkit/define/trigger-list.ts";
import { tools } from "../../../src/tools/index.ts";

const lines = (name: string) =>
  readFileSync(join(import.meta.dirname, "corpus", name), "utf8")
    .split("\n")
    .filter((line) => line !== "");
const ordinary = lines("ordinary.txt");
const requests = lines("requests.txt").map((line) => {
  const [tool = "", ...rest] = line.split(": ");
  return { tool, text: rest.join(": ") };
});
const triggers = shippedTriggers(tools);
const set = triggerSet("built-in", triggers);
const exposed = (text: string) => matchText(set, text).matches.map(({ toolName }) => toolName);

/** The words of a trigger without its notation; optional and variable characters are cut off. */
function wordsIn(text: string): string[] {
  const plain = text.replace(/\\[a-zA-Z]|\[[^\]]*\]/g, " ").replace(/\p{L}\?/gu, "");
  return [...plain.toLowerCase().matchAll(/\p{L}[\p{L}'-]{2,}/gu)].map(([word]) => word);
}
const isSpaced = (word: string) =>
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word);

describe("the shipped triggers", () => {
  it("all follow the rules", () => {
    expect(triggers.filter((trigger) => !compileTrigger(trigger).ok)).toEqual([]);
  });

  it("cover every tool in the corpus, which has at least 150 different sentences of each kind", () => {
    expect(new Set(ordinary).size).toBe(ordinary.length);
    expect(ordinary.length).toBeGreaterThanOrEqual(150);
    expect(requests.length).toBeGreaterThanOrEqual(150);
    const covered = [...new Set(requests.map(({ tool }) => tool))];
    const names = tools.map(({ name }) => name);
    const lacking = names.filter((name) => !covered.includes(name));
    expect(lacking, "Add requests for these tools to corpus/requests.txt.").toEqual([]);
    const gone = covered.filter((name) => !names.includes(name));
    expect(gone, "corpus/requests.txt has requests for tools that are not there.").toEqual([]);
  });

  it("use only words that also occur in at least three ordinary sentences", () => {
    const texts = ordinary.map((line) => ` ${fold(line)}`);
    const words = [...new Set(triggers.flatMap(({ text }) => wordsIn(text)))].filter(isSpaced);
    const rare = words.filter((word) => {
      const begins = new RegExp(`(?<!\\p{L})${word}`, "u");
      return texts.filter((text) => begins.test(text)).length < 3;
    });
    expect(rare, "Add sentences with these words, which ask for no tool, to corpus/ordinary.txt.").toEqual([]);
  });

  it("expose nothing for an ordinary sentence", () => {
    const wrong = ordinary.filter((line) => exposed(line).length > 0);
    console.info(`trigger corpus: ${wrong.length} false positives in ${ordinary.length} ordinary sentences`);
    expect(wrong).toEqual([]);
  });

  it("expose the right tool for at least 95 of 100 requests, and rarely another one as well", () => {
    const missed = requests.filter(({ tool, text }) => !exposed(text).includes(tool));
    const wide = requests.filter(({ text }) => exposed(text).length > 1);
    const recall = 1 - missed.length / requests.length;
    console.info(
      `trigger corpus: recall ${(recall * 100).toFixed(1)} % of ${requests.length} requests, ${wide.length} with another tool as well`,
    );
    expect(recall, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.95);
    expect(wide.length).toBeLessThanOrEqual(requests.length * 0.05);
  });

  it("match a message of 6,000 characters with bounded work, whatever it says", () => {
    const instructions = set.reduce((sum, one) => sum + ("program" in one ? one.program.length : 0), 0);
    for (const text of ["remind ".repeat(900), "a".repeat(6000), "请".repeat(6000), "https://x.y/ ".repeat(480)])
      expect(matchText(set, text).steps).toBeLessThanOrEqual(instructions * 6001);
  });
});

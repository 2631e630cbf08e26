// A spoiler that is longer than a message: Discord hides only text with both marks in the same message, so each part gets both.
import { describe, expect, it } from "vitest";
import { split } from "../../../src/core/markdown/split.ts";
import { isSpoilerOpen } from "../../../src/core/markdown/spoiler.ts";

const words = "They all did it. ";
const lines = "They all did it.\n";
const contentsOf = (text: string, limit = 100) => split(text, limit).map(({ content }) => content);
/** What a reader sees without a click. */
const seen = (content: string) => content.replace(/\|\|[\s\S]+?\|\|/g, "");

describe("a long spoiler", () => {
  it.each([
    ["of one line", `||${words.repeat(20).trim()}||`],
    ["of lines", `||${lines.repeat(20).trim()}||`],
    ["of paragraphs", `||${`${lines}\n`.repeat(20).trim()}||`],
    ["of a list", `||The end:\n${`- ${lines}`.repeat(20).trim()}||`],
    ["of code", `||\`\`\`js\n${lines.repeat(20)}\`\`\`||`],
    ["in a quote of all that follows", `>>> ||${lines.repeat(20).trim()}||`],
  ])("%s is hidden in every message", (_, spoiler) => {
    const contents = contentsOf(`Who did it?\n${spoiler}\nSo it ends.`);
    expect(contents.length).toBeGreaterThan(3);
    for (const content of contents) expect(seen(content)).not.toContain("They all");
    expect([seen(contents[0] ?? ""), seen(contents.at(-1) ?? "")]).toEqual([
      expect.stringContaining("Who did it?"),
      expect.stringContaining("So it ends."),
    ]);
  });

  it("begins a list or code on a new line, and words right after the mark", () => {
    expect(contentsOf(`||The end:\n${`- ${lines}`.repeat(20).trim()}||`)[1]).toMatch(/^\|\|\n- They.*it\.\|\|\n?$/s);
    expect(contentsOf(`||\`\`\`js\n${lines.repeat(20)}\`\`\`||`)[1]).toMatch(/^\|\|\n```js\nThey.*it\.\n```\n\|\|$/s);
    expect(contentsOf(`||${lines.repeat(20).trim()}||`)[1]).toMatch(/^\|\|They.*it\.\|\|\n?$/s);
  });

  it.each([
    ["two bars that are not marks, between words", `Run a || b. ${words.repeat(20)}`],
    ["the same at an end", `Write ||, or not. ${words.repeat(20)}`],
    ["a mark in code", `\`||a\` ${words.repeat(20)}`],
    ["a mark in a block of code", `\`\`\`\n||a\n\`\`\`\n${lines.repeat(20)}`],
    ["a row of a table", `| a ||b\n\n${lines.repeat(20)}`],
    ["a mark that begins in a quote", `> ||a\n\n${lines.repeat(20)}`],
  ])("is not opened by %s", (_, text) => {
    for (const { content, piece } of split(text, 100)) expect(content).toBe(piece);
  });
});

it("the last message of a spoiler that is never closed stays as it is", () => {
  expect(contentsOf(`||${words}`)).toEqual([`||${words}`]);
  expect(contentsOf(`||${words.repeat(20)}`).at(-1)).toMatch(/^\|\|They.*it\. $/);
});

it("a spoiler is open from its first mark to its second, outside code", () => {
  const open = ["||a", "(||a", "a ||b|| ||c", "||`||`", "  >>> ||a", "**||a"];
  const shut = ["a||b", "|| a", "||", "||a||", "\\||a", "> ||a", "`||a", "a ||."];
  expect(open.filter((line) => !isSpoilerOpen(line, false))).toEqual([]);
  expect(shut.filter((line) => isSpoilerOpen(line, false))).toEqual([]);
  expect(["a", "`||`", "| a ||b"].map((line) => isSpoilerOpen(line, true))).toEqual([true, true, true]);
  expect(["a||", "> a||", "|| b"].map((line) => isSpoilerOpen(line, true))).toEqual([false, false, false]);
});

it.each([
  ["a spoiler", "||a\n"],
  ["a quote of all that follows", ">>> a\n"],
])("a row of a table that fills a message leaves room for the marks of %s", (_, before) => {
  for (let width = 20; width <= 110; width++) {
    const row = `| ${"x".repeat(width)} | b |\n`;
    for (const content of contentsOf(`${before}${lines.repeat(6)}| A | B |\n|---|---|\n${row.repeat(3)}`))
      expect(content.length).toBeLessThanOrEqual(100);
  }
});

// Tables as code blocks: aligned as displayed, readable in every message, and never made from text that is not a table.
import { describe, expect, it } from "vitest";
import { displayWidth } from "../../../src/core/markdown/display-width.ts";
import { createSplitter, split } from "../../../src/core/markdown/split.ts";

const contentsOf = (text: string, limit?: number) => split(text, limit).map(({ content }) => content);
const shown = (text: string) => contentsOf(text).join("\n--\n");

describe("a table", () => {
  it("becomes a code block whose columns line up as displayed", () => {
    const table = [
      "| Item | 数量 | Who |",
      "|:-----|----:|:---:|",
      "| りんご | 3 | 👩‍👩‍👧 |",
      "| naïve cafe\u0301 | 12.50 | ✅ ok |",
      "| שלום | 1 | |",
    ].join("\n");
    expect(shown(`Before:\n${table}\n\nAfter.`)).toBe(
      [
        "Before:",
        "```",
        "Item       |  数量 |  Who ",
        "-----------+-------+------",
        "りんご     |     3 |  👩‍👩‍👧  ",
        "naïve cafe\u0301 | 12.50 | ✅ ok",
        "שלום       |     1 |      ",
        "```",
        "",
        "After.",
      ].join("\n"),
    );
  });

  it.each([
    ["needs no outer bars", "a | b\n--- | ---\n1 | 2", "```\na | b\n--+--\n1 | 2\n```\n"],
    ["keeps an escaped bar", "| a |\n|---|\n| x \\| y |", "```\na\n-----\nx | y\n```\n"],
    ["keeps extra cells", "| a | b |\n|---|---|\n| 1 | 2 | 3 |", "```\na | b\n--+------\n1 | 2 | 3\n```\n"],
    ["stays in its quote", "> | a |\n> |---|\n> | 1 |\n> words", "> ```\n> a\n> -\n> 1\n> ```\n> words"],
    ["ends at a line without a bar", "|a|b|\n|-|-|\n|1|2|\nwords", "```\na | b\n--+--\n1 | 2\n```\nwords"],
    ["may have no rows", "|a|b|\n|-|-|\n", "```\na | b\n--+--\n```\n"],
    ["ends before a row that would close its code block", "|a|\n|-|\n|1|\n|```|", "```\na\n-\n1\n```\n|```|"],
    ["may have Windows line endings", "| a |\r\n|---|\r\n| 1 |\r\n", "```\na\n-\n1\n```\n"],
  ])("%s", (_, text, content) => {
    expect(shown(text)).toBe(content);
  });

  it.each([
    ["a line with a bar but no line of dashes below it", "either | or\nmore words"],
    ["a header over a different number of dash columns", "| a | b |\n|---|\n| 1 | 2 |"],
    ["a title underlined with dashes", "Title\n---\ntext | text"],
    ["a table inside a fence", "```\n| a |\n|---|\n| 1 |\n```"],
    ["a header over a line of dashes that is not finished yet", "| a | b |\n|---|---|"],
  ])("is not %s", (_, text) => {
    expect(shown(text)).toBe(text);
  });

  it("does not pad the other rows to the width of one long cell", () => {
    const table = `| a | b |\n|---|---|\n| ${"long ".repeat(60)} | 1 |\n| x | 2 |\n`;
    expect(shown(table).split("\n").at(-3)).toBe(`${"x".padEnd(40)} | 2`);
  });

  it("repeats its header after a cut, and its columns never get narrower", () => {
    const rows = Array.from({ length: 40 }, (_, n) => `| row ${n} | ${"x".repeat(n === 2 ? 20 : 3)} | ${n} |`);
    const contents = contentsOf(`| Name | Value | N |\n|---|---|---|\n${rows.join("\n")}\n`, 600);
    expect(contents.length).toBeGreaterThan(2);
    for (const content of contents) {
      const [fence, header, rule, ...lines] = content.trimEnd().split("\n");
      expect([fence, header, lines.pop()]).toEqual(["```", `Name   | ${"Value".padEnd(20)} | N`, "```"]);
      expect(new Set(lines.map((line) => line.lastIndexOf("|")))).toEqual(new Set([header?.lastIndexOf("|")]));
      expect(rule).toMatch(/^-+\+-+\+-+$/);
    }
    const seen = contents.flatMap((content) => content.match(/^row \d+/gm) ?? []);
    expect(seen).toEqual(rows.map((_, n) => `row ${n}`));
  });

  it("is never cut between its header and the line of dashes, wherever the limit falls", () => {
    const table = "| Name | Value |\n|------|-------|\n| a | 1 |\n";
    for (let before = 40; before < 100; before++) {
      const contents = contentsOf(`${"x".repeat(before)}\n${table}`, 100);
      expect(contents.filter((content) => content.includes("Name"))).toEqual([
        expect.stringContaining("```\nName | Value\n-----+------\n"),
      ]);
    }
  });

  it("stays as written if its header takes more than half of a message", () => {
    const table = "| a |\n|---|\n";
    expect([contentsOf(table, 24), contentsOf(table, 23)]).toEqual([["```\na\n-\n```\n"], [table]]);
  });

  it("keeps the line below its header for the next message, uncut, if the two don't fit in one", () => {
    expect(contentsOf("| a |\n|-----------|", 14)).toEqual(["| a |\n", "|-----------|"]);
    expect(contentsOf(`| ${"a".repeat(20)} |\n|${"-".repeat(22)}|`, 30)[0]).toBe(`| ${"a".repeat(20)} |\n`);
  });

  it("is also shown after a line that began in the message before", () => {
    const contents = contentsOf(`- ${"words ".repeat(20)}\n| a | b |\n|---|---|\n| 1 | 2 |\n`, 100);
    expect(contents.at(-1)).toMatch(/^ {2}words [\s\S]*\n```\na \| b\n--\+--\n1 \| 2\n```\n$/);
  });

  it("moves a row that doesn't fit to the next message, whole and as written", () => {
    const head = "a|b\n-|-\n";
    const block = "```\na | b\n--+--\n```\n";
    for (const row of ["日日日日日|", "b a||||||||||||||||||||||||||||\n"])
      expect(contentsOf(head + row, 40)).toEqual([block, row]);
  });

  it("is realigned as it grows, but never in a message that is already full", () => {
    const splitter = createSplitter(120);
    const head = "| a | b |\n|---|---|\n";
    const few = splitter(`${head}| 1 | 2 |\n`).map(({ content }) => content);
    const more = splitter(`${head}| 1 | 2 |\n| wider | 3`).map(({ content }) => content);
    expect([few, more]).toEqual([
      ["```\na | b\n--+--\n1 | 2\n```\n"],
      ["```\na     | b\n------+--\n1     | 2\nwider | 3\n```\n"],
    ]);
    const long = `${head}${"| 1 | 2 |\n".repeat(20)}`;
    const [full] = splitter(long);
    expect(splitter(`${long}| a cell that is wider than all | 3 |\n`)[0]).toEqual(full);
  });
});

it.each([
  ["plain", 5],
  ["漢字", 4],
  ["ｱ", 1],
  ["한글", 4],
  ["é", 1],
  ["e\u0301", 1],
  ["👍🏽", 2],
  ["👩‍👩‍👧‍👦", 2],
  ["🇩🇪", 2],
  ["❤️", 2],
  ["1️⃣", 2],
  ["©", 1],
  ["\u200b", 0],
  ["שלום", 4],
])("%s is %i columns wide", (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

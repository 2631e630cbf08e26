// The line that shows a question before its answer: what people can type, and what Discord shows of it.
import { describe, expect, it } from "vitest";
import { questionLine } from "../../../src/core/copy/quotes.ts";
import { codePoints } from "../../../src/core/markdown/code-points.ts";

describe("the line with the question", () => {
  it.each([
    ["What is 2 + 2 (quick)?", "> What is 2 + 2 (quick)?\n"],
    ["one\n\n  two\tthree ", "> one two three\n"],
    [
      "**b** _i_ ~~s~~ ||spoiler|| `code` \\",
      "> \\*\\*b\\*\\* \\_i\\_ \\~\\~s\\~\\~ \\|\\|spoiler\\|\\| \\`code\\` \\\\\n",
    ],
    ["@everyone <@1180000000000000022> <#5> <@&6>", "> \\@everyone \\<\\@1180000000000000022> \\<#5> \\<\\@&6>\n"],
    ["[here](https://example.org/a_b)", "> \\[here\\](https\\://example.org/a\\_b)\n"],
    ["> quoted", "> \\> quoted\n"],
    ["-# small", "> \\-# small\n"],
    ["# title", "> \\# title\n"],
    ["12. item", "> 12\\. item\n"],
    ["<a:wave:1180000000000000099> hi", "> :wave: hi\n"],
    ["a\u202eb\u200bc 👩‍🚀", "> abc 👩‍🚀\n"],
    [" \u200b \n", ""],
  ])("shows %j as it was typed, on one line, without anything that Discord would format", (typed, line) => {
    expect(questionLine(typed)).toBe(line);
  });

  it("has at most 150 characters, with its escapes, and is never cut within an escape", () => {
    expect(questionLine("x".repeat(148))).toBe(`> ${"x".repeat(148)}\n`);
    expect(questionLine("x".repeat(149))).toBe(`> ${"x".repeat(147)}…\n`);
    expect(questionLine("*".repeat(500))).toBe(`> ${"\\*".repeat(73)}…\n`);
    for (const text of ["😀".repeat(200), `a${"*".repeat(200)}`, "\\".repeat(99)])
      expect(codePoints(questionLine(text).trimEnd())).toBeLessThanOrEqual(150);
  });
});

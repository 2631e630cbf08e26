// Discord's quote of everything that follows (">>> ") ends with the message, so each later part begins with the sign again.
import { describe, expect, it } from "vitest";
import { split } from "../../../src/core/markdown/split.ts";

const contentsOf = (text: string, limit: number) => split(text, limit).map(({ content }) => content);
const line = "A line of words.\n";
const sentences = "A sentence. ".repeat(24);

describe("a quote of everything that follows", () => {
  it.each([
    ["lines", `>>> ${line.repeat(12)}`],
    ["paragraphs", `>>> ${`${line}\n`.repeat(12)}`],
    ["one long line", `>>> ${sentences}`],
    ["a long line after others", `>>> ${line}${sentences}`],
    ["a sign after blanks", `  >>> ${line.repeat(12)}`],
  ])("continues in every later message: %s", (_, quote) => {
    const [first, ...later] = split(quote, 100);
    expect(later.length).toBeGreaterThan(1);
    expect(first?.content).toBe(first?.piece);
    for (const { content, piece } of later) expect(content).toBe(`>>> ${piece}`);
  });

  it("begins at its sign, and not before", () => {
    const contents = contentsOf(`${line.repeat(9)}>>> ${line.repeat(9)}`, 100);
    const begin = contents.findIndex((content) => content.includes(">>> "));
    expect(contents.slice(0, begin).every((content) => content.startsWith("A line"))).toBe(true);
    expect(contents.slice(begin + 1).every((content) => content.startsWith(">>> A line"))).toBe(true);
    expect(begin).toBeGreaterThan(0);
  });

  it("keeps its code and its lists", () => {
    const code = `>>> \`\`\`sh\n${"npm ci\n".repeat(15)}\`\`\`\n`;
    for (const content of contentsOf(code, 60)) expect(content).toMatch(/^>>> ```sh\n(npm ci\n)+```\n?$/);
    const [, second] = contentsOf(`>>> - ${sentences}`, 100);
    expect(second).toMatch(/^>>> {3}A sentence/);
  });

  it.each([
    ["its sign is in code", `\`\`\`\n>>> a\n\`\`\`\n${line.repeat(12)}`],
    ["no blank follows its sign", `>>>a\n${line.repeat(12)}`],
    ["its sign is within a line", `a >>> b\n${line.repeat(12)}`],
    ["its sign is in another quote", `> >>> b\n\n${line.repeat(12)}`],
  ])("doesn't begin if %s", (_, text) => {
    for (const { content, piece } of split(text, 100)) expect(content).toBe(piece);
  });

  it("doesn't begin if a cut in another quote is right before its sign", () => {
    const [, second, ...later] = contentsOf(`> ${"A sentence. ".repeat(8)}>>> ${sentences}`, 100);
    expect(second).toMatch(/^> >>> A sentence/);
    expect(later.length).toBeGreaterThan(0);
    for (const content of later) expect(content).toMatch(/^> A sentence/);
  });
});

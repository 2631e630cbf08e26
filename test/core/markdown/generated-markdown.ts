// Generated Markdown, as models write it and worse, and the checks that every way of splitting it must pass.
import fc from "fast-check";
import { codePoints } from "../../../src/core/markdown/code-points.ts";
import { type Fence, fenceAfterLine } from "../../../src/core/markdown/fences.ts";
import { createSplitter, type Part, split } from "../../../src/core/markdown/split.ts";

/** The fence that is still open at the end of a text. */
export const openFence = (text: string): Fence | null =>
  text.split("\n").reduce((open: Fence | null, line) => fenceAfterLine(line, open), null);

const words = fc
  .array(
    fc.constantFrom(
      "word",
      "two words",
      "A sentence ends. ",
      "(unbalanced",
      'a "quote',
      "[half a link",
      "`code span`",
      "``tick ` inside``",
      "lone ` tick",
      "code: ```js\n",
      "run()```\n",
      "```code```",
      "[a link](https://example.org/a(b)c)",
      "https://example.org/a/long/path?with=a&query=1",
      "<:parley:123456789012345678>",
      "<a:wave:987654321098765432>",
      "👩‍👩‍👧‍👦",
      "🇩🇪🇫🇷",
      "👍🏽",
      "e\u0301\u0323",
      "漢字とかな。",
      "שלום עולם, ",
      "\u202bمرحبا بالعالم\u202c",
      "a | b",
      "**bold",
      "||a spoiler||",
      "||the beginning of one",
      "its end||",
      "||",
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((all) => all.join(" "));
const cell = fc.constantFrom(
  "",
  "x",
  "12.5",
  "two words",
  "漢字",
  "👩‍👩‍👧",
  "a \\| b",
  "`code`",
  "שלום",
  "a much longer cell ".repeat(4),
);
const table = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.boolean(), fc.constantFrom("", "> ", "  "))
  .chain(([columns, isBarred, lead]) =>
    fc
      .tuple(
        fc.array(fc.constantFrom("---", ":--", "--:", ":-:"), { minLength: columns, maxLength: columns }),
        fc.array(fc.array(cell, { minLength: 1, maxLength: columns + 1 }), { maxLength: 40 }),
      )
      .map(([rules, rows]) => {
        const line = (cells: string[]) => lead + (isBarred ? `| ${cells.join(" | ")} |` : cells.join(" | "));
        return [rules.map((_, n) => `Column ${n}`), rules, ...rows].map(line).join("\n");
      }),
  );
const code = fc
  .tuple(
    fc.constantFrom("", "> ", "   "),
    fc.constantFrom("```", "````", "~~~", "~~~~~"),
    fc.constantFrom("", "c++", "objective-c", "{.py title=x}", "js"),
    fc.array(
      fc.constantFrom("int main() {", "  return 0;", "```", "~~~", "", "| a | b |", "|---|---|", "x".repeat(300)),
      {
        maxLength: 40,
      },
    ),
    fc.boolean(),
  )
  .map(([lead, marker, info, lines, isClosed]) =>
    [`${marker}${info}`, ...lines, ...(isClosed ? [marker] : [])].map((line) => lead + line).join("\n"),
  );
const block = fc.oneof(
  { weight: 4, arbitrary: words },
  { weight: 2, arbitrary: code },
  { weight: 2, arbitrary: table },
  words.map((line) => `## ${line.slice(0, 40)}`),
  words.map((line) => `> ${line}\n> ${line}`),
  words.map((line) => `>>> ${line}\n${line}`),
  words.map((line) => `- ${line}\n  - ${line}\n1. ${line}`),
  fc.constantFrom(
    "漢".repeat(300),
    "x".repeat(5000),
    "👩‍👩‍👧".repeat(400),
    "lorem ipsum ".repeat(417),
    "```",
    "\n\n\n",
  ),
);

/** A whole answer. */
export const markdown: fc.Arbitrary<string> = fc
  .array(fc.tuple(block, fc.constantFrom("\n", "\n\n")), { minLength: 1, maxLength: 12 })
  .map((blocks) => blocks.map(([text, gap]) => text + gap).join(""));

/** Positions in a text up to which a stream may have arrived so far, never within a surrogate pair. */
export const arrivals = (text: string): fc.Arbitrary<number[]> =>
  fc
    .array(fc.integer({ min: 0, max: text.length }), { maxLength: 30 })
    .map((places) => [...places.map((place) => wholeUpTo(text, place)), text.length].sort((one, other) => one - other));

const wholeUpTo = (text: string, place: number): number =>
  /[\ud800-\udbff]/.test(text[place - 1] ?? "") ? place - 1 : place;

/** What is wrong with some parts, in words; empty if each is a message that Discord accepts and shows well. */
export function findPartFaults(parts: readonly Part[], limit: number): string[] {
  return parts.flatMap(({ content, piece }, index) => [
    ...(codePoints(content) > limit ? [`part ${index} has ${codePoints(content)} code points`] : []),
    ...(piece === "" ? [`part ${index} is empty`] : []),
    ...(openFence(content) === null ? [] : [`part ${index} leaves a fence open`]),
  ]);
}

/** Splits a text as it arrives, checks every state on the way, and returns all faults and the last state. */
export function streamed(text: string, places: readonly number[], limit?: number): { faults: string[]; parts: Part[] } {
  const splitter = createSplitter(limit);
  const whole = split(text, limit);
  let parts: Part[] = [];
  const faults = places.flatMap((place) => {
    parts = splitter(text.slice(0, place));
    const moved = parts.slice(0, -1).flatMap((part, index) => {
      const end = whole[index];
      return part.content === end?.content && part.piece === end.piece
        ? []
        : [`at ${place}, part ${index} is not final`];
    });
    return [...findPartFaults(parts, limit ?? 2000), ...moved];
  });
  return { faults, parts };
}

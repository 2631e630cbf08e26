// One text, split into messages: nothing is lost, nothing is too long, no character is torn, and a full part never changes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MESSAGE_CODE_POINTS } from "../../../src/core/limits.ts";
import { codePoints } from "../../../src/core/markdown/code-points.ts";
import { createSplitter, split } from "../../../src/core/markdown/split.ts";
import { openFence } from "./generated-markdown.ts";

const RUNS = { numRuns: 300 };
const LONG = { numRuns: 60 };
const pieces = fc.constantFrom(
  " ",
  "\n",
  "\n\n",
  ". ",
  "word",
  "ein Satz. ",
  "é",
  "😀",
  "👩‍👩‍👧",
  "漢字",
  "\ud83d",
  "\ude00",
  "```\n",
  "||",
);
const text = fc.array(pieces, { maxLength: 120 }).map((all) => all.join(""));
const limit = fc.integer({ min: 1, max: 40 });
/** Texts longer than Discord's limit, with long stretches without a boundary. */
const longText = fc
  .array(fc.tuple(pieces, fc.integer({ min: 1, max: 900 })), { minLength: 1, maxLength: 12 })
  .map((all) => all.map(([piece, times]) => piece.repeat(times)).join(""));

const piecesOf = (whole: string, max?: number) => split(whole, max).map(({ piece }) => piece);
const contentsOf = (whole: string, max?: number) => split(whole, max).map(({ content }) => content);
const startsTorn = (part: string) => /^[\udc00-\udfff]/.test(part);
const endsTorn = (part: string) => /[\ud800-\udbff]$/.test(part);

describe("the parts of a text", () => {
  it("join to the original text", () => {
    fc.assert(
      fc.property(text, limit, (whole, max) => {
        expect(piecesOf(whole, max).join("")).toBe(whole);
      }),
      RUNS,
    );
    fc.assert(
      fc.property(longText, (whole) => {
        expect(piecesOf(whole).join("")).toBe(whole);
      }),
      LONG,
    );
  });

  it("each stay within the limit in code points, and none is empty", () => {
    const fits = (whole: string, max: number) => {
      for (const part of contentsOf(whole, max)) {
        expect([...part].length).toBeLessThanOrEqual(max);
        expect(part).not.toBe("");
      }
    };
    fc.assert(fc.property(text, limit, fits), RUNS);
    fc.assert(
      fc.property(longText, (whole) => fits(whole, MESSAGE_CODE_POINTS)),
      LONG,
    );
  });

  it("never meet within a surrogate pair", () => {
    const whole = (all: string, max: number) => {
      const parts = piecesOf(all, max);
      parts.slice(1).forEach((part, index) => {
        expect(startsTorn(part) && endsTorn(parts[index] ?? "")).toBe(false);
      });
    };
    fc.assert(fc.property(text, limit, whole), RUNS);
    fc.assert(
      fc.property(longText, (all) => whole(all, MESSAGE_CODE_POINTS)),
      LONG,
    );
  });

  it("stay the same while the text after them grows, except the last", () => {
    const stable = (head: string, tail: string, max: number) => {
      const full = split(head, max).slice(0, -1);
      expect(split(head + tail, max).slice(0, full.length)).toEqual(full);
    };
    fc.assert(fc.property(text, text, limit, stable), RUNS);
    fc.assert(
      fc.property(longText, longText, (head, tail) => stable(head, tail, MESSAGE_CODE_POINTS)),
      LONG,
    );
  });

  it.each([
    ["spaces below a line with a bar", `| 2 |\n${" ".repeat(14)}||1`, 21],
    ["spaces in code", `~~~~~\n${" ".repeat(24)}y`, 35],
    ["dashes and a bar in code", "```o. ~~~~~~\n-|-\n| 1", 23],
    ["a row that no longer counts once it has the marks of a fence", `|a|b|\n|-|-|\n|${"x".repeat(20)}\`\`\`|2|\n`, 60],
  ])("are final at every character that arrives: %s", (_what, whole, max) => {
    const parts = split(whole, max);
    expect(parts.length).toBeGreaterThan(1);
    for (let at = 1; at < whole.length; at++) {
      const full = split(whole.slice(0, at), max).slice(0, -1);
      expect(full).toEqual(parts.slice(0, full.length));
    }
  });

  it("join to a table that is wider as written than as shown, wherever the splitter stops reading", () => {
    const row = (cells: string, width: number) => `${`|${cells}`.padEnd(width - 2)}|\n`;
    const table = (last: number) =>
      [row("a|b", 75), "|-|-|\n", ...[80, 74, 68, 62, last].map((width) => row("1|2", width))].join("");
    for (let last = 25; last < 50; last++) {
      const whole = `${table(last)}${row("3|4", 20)}after it`;
      expect(piecesOf(whole, 100).join("")).toBe(whole);
    }
    // As many units as are read for a message of a hundred code points, plus a line end.
    expect(table(36)).toHaveLength(401);
    expect(piecesOf(`${table(36)}${row("3|4", 20)}`, 100)[0]).toBe(table(36));
  });

  it("are at least half full apart from the room that fences need, except the last part and those above a table", () => {
    fc.assert(
      fc.property(text, limit, (whole, max) => {
        const parts = split(whole, max);
        const isAboveTable = (index: number) => /^.*\|/.test(parts[index + 1]?.piece ?? "");
        // Half of the room that fences leave, in UTF-16 units; a code point has one or two of them.
        for (const [index, { content, piece }] of parts.slice(0, -1).entries())
          if (!piece.endsWith("\n") || !isAboveTable(index)) expect(codePoints(content)).toBeGreaterThan(max / 8);
      }),
      RUNS,
    );
  });
});

describe("a cut", () => {
  const half = "x".repeat(6);
  it.each([
    ["a paragraph", `${half}\n\n`, "y\nz. w v tail"],
    ["a line", `${half}y\n`, "z. w v tail tail"],
    ["a sentence", `${half}y z. `, "w v tail tail"],
    ["a word", `${half}y `, "tailtailtail"],
  ])("comes after %s if one ends in the second half", (_, first, rest) => {
    expect(contentsOf(first + rest, 14)[0]).toBe(first);
  });

  it("is made within a word if every boundary would waste half of the message", () => {
    expect(contentsOf("ab cdefghijklmnop", 10)).toEqual(["ab cdefghi", "jklmnop"]);
  });

  it("comes after a boundary only if that is beyond half of the message", () => {
    expect(contentsOf("abcd\nefghijkl", 10)).toEqual(["abcd\nefghi", "jkl"]);
    expect(contentsOf("abcde\nefghijkl", 10)).toEqual(["abcde\n", "efghijkl"]);
    // The text before the line counts too.
    expect(contentsOf("a\nbbbbbbbbb cccccccccccc", 20)[0]).toBe("a\nbbbbbbbbb ");
  });

  it("is made within dashes that belong to no header", () => {
    expect(contentsOf(`b\n${"-".repeat(40)}`, 20)[0]).toBe(`b\n${"-".repeat(18)}`);
    // The first character that doesn't fit shows that they are not a delimiter row.
    expect(contentsOf(`| a |\n${"-".repeat(24)}x`, 30)[0]).toBe(`| a |\n${"-".repeat(24)}`);
  });

  it("is made only when the text exceeds the limit in code points", () => {
    expect(split("😀".repeat(2000))).toHaveLength(1);
    expect(contentsOf("😀".repeat(2001)).map(codePoints)).toEqual([2000, 1]);
  });

  it("gives no part for an empty text", () => {
    expect(split("")).toEqual([]);
  });
});

describe("a fence", () => {
  const long = (text: string) => text.repeat(40);

  it.each([
    ["", "```c++", "```"],
    ["", "````{.py title=x}", "````"],
    ["", "~~~objective-c", "~~~"],
    ["> ", "```js", "```"],
    ["   ", "```", "```"],
  ])(
    "with the prefix %j and the opening %s is closed at a cut and reopened with its whole line",
    (lead, opening, closing) => {
      const contents = contentsOf(`${lead}${opening}\n${long(`${lead}a line of code\n`)}`, 200);
      for (const content of contents.slice(0, -1)) expect(content.endsWith(`\n${lead}${closing}`)).toBe(true);
      for (const content of contents.slice(1)) expect(content.startsWith(`${lead}${opening}\n${lead}a`)).toBe(true);
    },
  );

  it("is never cut within its opening line, wherever the limit falls", () => {
    for (let before = 1; before < 50; before++) {
      const contents = contentsOf(`${"x".repeat(before)}\n\`\`\`js\ncode\n\`\`\`\n`, 40);
      expect(contents.filter((content) => content.includes("`"))).toEqual([
        expect.stringContaining("```js\ncode\n```"),
      ]);
    }
  });

  it("leaves room after an empty line for the closing at a cut, and for a line of the text that may close it", () => {
    const code = `\`\`\`\n${"abc\n".repeat(6)}\n\`\`\`\n`;
    expect(piecesOf(code, 36)).toEqual([code]);
    expect(piecesOf(code, 35)).toEqual([`\`\`\`\n${"abc\n".repeat(6)}`, "\n```\n"]);
  });

  it("is reopened with its whole opening line if that takes no more than a quarter of the message", () => {
    const reopened = (info: string) => contentsOf(`\`\`\`\`${info}\n${"y".repeat(60)}`, 28)[1];
    expect([reopened("js"), reopened("jsx")]).toEqual([
      expect.stringMatching(/^````js\ny/),
      expect.stringMatching(/^````\ny/),
    ]);
  });

  it("in a quote shares this quarter with the quote's sign", () => {
    const second = (max: number) => contentsOf(`> \`\`\`js\n> ${"x".repeat(90)}`, max)[1];
    expect([second(31), second(32), second(40)]).toEqual([
      expect.stringMatching(/^x/),
      expect.stringMatching(/^> ```\n> x/),
      expect.stringMatching(/^> ```js\n> x/),
    ]);
  });

  it("is closed if that takes no more than a quarter of the message", () => {
    expect([contentsOf("```", 15), contentsOf("```", 16)]).toEqual([["```"], ["```\n```"]]);
  });

  it("is cut in the same place whether or not more text follows, even if it would just fit without its closing", () => {
    const head = "```\n```\n```\n";
    expect(split(head, 13)).toHaveLength(2);
    expect(split(`${head} more`, 13)[0]).toEqual(split(head, 13)[0]);
  });

  it("is not cut if its block fits in the next message", () => {
    const block = `\`\`\`\n${"code\n".repeat(10)}\`\`\`\n`;
    const contents = contentsOf(`${"Some words. ".repeat(10)}\n\n${block}end`, 150);
    expect(contents[1]?.startsWith(block)).toBe(true);
  });

  it("is balanced in every message, whatever the text, if the limit leaves room for it", () => {
    const markdown = fc.array(
      fc.constantFrom(
        "```c++\n",
        "```\n",
        "~~~\n",
        "````md\n",
        "words and words ",
        "a line\n",
        "\n\n",
        "> quote\n",
        "`code` ",
        "[a](http://b) ",
      ),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(markdown, fc.integer({ min: 60, max: 200 }), (all, max) => {
        const whole = all.join("");
        for (const content of contentsOf(whole, max)) {
          expect(codePoints(content)).toBeLessThanOrEqual(max);
          expect(openFence(content)).toBeNull();
        }
        expect(piecesOf(whole, max).join("")).toBe(whole);
      }),
      RUNS,
    );
  });
});

describe("a cut does not separate", () => {
  it.each([
    ["a joined family emoji", `${"x".repeat(7)}👩‍👩‍👧‍👦tail`, 10, `${"x".repeat(7)}`],
    ["an accent and its letter", `${"x".repeat(9)}e\u0301 tail`, 10, "x".repeat(9)],
    ["a flag", `${"x".repeat(9)}🇩🇪tail`, 10, "x".repeat(9)],
    ["inline code", "some words `in code here` tail", 20, "some words "],
    ["a link", "some words [a text](http://x.y/z) tail", 21, "some words "],
    ["a custom emoji", `${"x".repeat(12)}<:name:123456789> tail`, 20, "x".repeat(12)],
    ["inline code that contains backticks", "some words ``a ` b`` tail", 18, "some words "],
    ["a link with brackets in its address", "some words [a](http://x.org/(yy)zw) tail", 21, "some words "],
    ["a mention", "some words <@123456789012345678> tail", 20, "some words "],
    ["an address", "some words https://example.org/a?b=c tail", 20, "some words "],
    ["a heading and the text under it", "some words here\n## Title\n\nits text", 27, "some words here\n"],
  ])("%s", (_what, whole, max, first) => {
    expect(piecesOf(whole, max)[0]).toBe(first);
  });
});

describe("the rest of a line that was cut", () => {
  const sentence = "A sentence of eight words for this test. ";
  it.each([
    ["a quote", "> ", "> "],
    ["a quote in a quote", "> > ", "> > "],
    ["an item of a list", "- ", "  "],
    ["a numbered item", "12. ", "    "],
    ["an item in an item", "  - ", "    "],
    ["an item in a quote", "> * ", ">   "],
    ["a paragraph", "", ""],
  ])("stays in %s", (_, first, lead) => {
    const contents = contentsOf(`${first}${sentence.repeat(10)}`, 100);
    expect(contents.length).toBeGreaterThan(3);
    contents.forEach((content, index) => {
      expect(content.startsWith(`${index === 0 ? first : lead}A sentence`)).toBe(true);
    });
  });

  it("stays in the quote of quoted code, without a new list item", () => {
    const code = `- item\n  > \`\`\`js\n  > ${"x".repeat(300)}\n  > \`\`\`\n`;
    for (const content of contentsOf(code, 100).slice(1))
      expect(content).toMatch(/^ {2}> ```js\n {2}> x+\n {2}> ```\n?$/);
  });
});

describe("three backticks are code where Discord shows code", () => {
  it.each([
    ["begins after words", "Run this: ```sh\nnpm ci\n```\n"],
    ["begins after an item's words", "> - Run this: ```sh\n>   npm ci\n>   ```\n"],
    ["ends after words", "```js\nrun()```\n"],
    ["has other code in it", "```md\n# Title\n```sh\nnpm ci\n```\nmore\n```\n"],
  ])("and the words after it stay words if it %s", (_, code) => {
    const whole = `${code}${"Some words. ".repeat(40)}`;
    expect(contentsOf(whole, 200)).toEqual(piecesOf(whole, 200));
  });

  it("also across a cut, if the code begins after words", () => {
    const [first, second] = contentsOf(`> Run this: \`\`\`sh\n${"> npm ci\n".repeat(30)}> \`\`\``, 100);
    expect([first?.endsWith("\n> ```"), second?.startsWith("> ```sh\n> npm")]).toEqual([true, true]);
  });

  it.each(["Write ``` before it.", "`` ``` ``", "It is ```code```", "It is ```code``` here"])(
    "but not in %s",
    (line) => {
      expect(contentsOf(`${line}\nWords`)).toEqual([`${line}\nWords`]);
      expect(contentsOf(`\`\`\`js\na(${line})\n\`\`\`\nWords`).join("")).toMatch(/Words$/);
    },
  );
});

it("a fence that starts a list item is closed and reopened inside the item", () => {
  const contents = contentsOf(`1. \`\`\`py\n${"   print(1)\n".repeat(20)}   \`\`\`\n`, 100);
  expect(contents.at(0)).toMatch(/^1\. ```py\n( {3}print\(1\)\n)+ {3}```$/);
  expect(contents.at(1)).toMatch(/^ {3}```py\n( {3}print\(1\)\n)+ {3}```$/);
});

it("a fence in a quote ends with the quote", () => {
  const text = `> \`\`\`js\n> code\n${"words ".repeat(30)}`;
  for (const content of contentsOf(text, 100).slice(1)) expect(content).not.toContain("```");
});

it("an unclosed bracket or backtick does not keep a line from being cut between words", () => {
  for (const open of ["[never closed ", "`never closed ", "<never ", "(never closed "]) {
    const [first = ""] = piecesOf(`${open}${"words ".repeat(40)}`, 100);
    expect([first.length > 90, first.endsWith("words ")]).toEqual([true, true]);
  }
});

describe("a text that grows", () => {
  /** A text that counts how much of it is read. */
  function counting(text: string): { text: string; read: () => number } {
    let read = 0;
    const slice = (from: number, to: number) => {
      const part = text.slice(from, to);
      read += part.length;
      return part;
    };
    const counted = { length: text.length, startsWith: (head: string) => text.startsWith(head), slice };
    return { text: counted as unknown as string, read: () => read };
  }
  const answer = "Some words and `code`, and then some more of them.\n\n".repeat(2000);

  it("is read only after its full parts, at most four messages' worth at a time", () => {
    const splitter = createSplitter();
    const full = splitter(answer).slice(0, -1);
    const longer = counting(`${answer}more`);
    const parts = splitter(longer.text);
    expect(parts.slice(0, full.length)).toEqual(full);
    expect(longer.read()).toBe(parts.at(-1)?.piece.length);
  });

  it("is read in windows if it comes all at once, so the work is proportional to its length", () => {
    const once = counting(answer);
    const parts = createSplitter()(once.text);
    expect(once.read()).toBeLessThanOrEqual(parts.length * (4 * MESSAGE_CODE_POINTS + 1));
  });

  it("is split again if its beginning changes", () => {
    const splitter = createSplitter(100);
    splitter("one ".repeat(100));
    expect(splitter("two ".repeat(100))).toEqual(split("two ".repeat(100), 100));
  });
});

it("code points are counted as Discord counts them, lone surrogates included", () => {
  fc.assert(
    fc.property(text, (all) => {
      expect(codePoints(all)).toBe([...all].length);
    }),
    RUNS,
  );
});

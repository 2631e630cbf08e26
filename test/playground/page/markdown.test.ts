// The page's Markdown, as trees: how Discord's client would show a message, and what must never become a link.
import { describe, expect, it } from "vitest";
import { parseSpans, type Span } from "../../../src/playground/page/inline.ts";
import { type Block, parseBlocks } from "../../../src/playground/page/markdown.ts";

// Trees on one line: `strong(a em(b))`, so that a row shows the nesting.
const inline = (spans: readonly Span[]): string =>
  spans
    .map((span) => {
      switch (span.kind) {
        case "text":
          return span.text;
        case "code":
          return `code(${span.text})`;
        case "mention":
          return `mention(${span.sigil}${span.id})`;
        case "message":
          return `message(${span.channelId} ${span.id})`;
        case "time":
          return `time(${span.seconds}${span.style ? ` ${span.style}` : ""})`;
        case "link":
          return `link(${span.href} ${inline(span.spans)})`;
        default:
          return `${span.kind}(${inline(span.spans)})`;
      }
    })
    .join("");

const outline = (blocks: readonly Block[]): unknown[] =>
  blocks.map((block) => {
    if (block.kind === "code") return [`code ${block.language}`, block.text];
    if (block.kind === "quote") return ["quote", ...outline(block.blocks)];
    if (block.kind === "list")
      return [`list ${block.start}`, ...block.items.map((item) => [inline(item.spans), ...outline(item.blocks)])];
    return [block.kind === "heading" ? `h${block.level}` : block.kind, inline(block.spans)];
  });

describe("Markdown within a line", () => {
  it.each([
    ["plain words", "plain words"],
    ["**b** and *i* and _i_", "strong(b) and em(i) and em(i)"],
    ["***both***", "strong(em(both))"],
    ["**a *b* c**", "strong(a em(b) c)"],
    ["*a **b** c*", "em(a strong(b) c)"],
    ["__u__ ~~s~~ ||hide **me**||", "underline(u) strike(s) spoiler(hide strong(me))"],
    ["snake_case_name stays", "snake_case_name stays"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["an open **mark", "an open **mark"],
    ["`**raw**` and ``a ` b``", "code(**raw**) and code(a ` b)"],
    ["\\*not\\* it", "*not* it"],
    ["[name](https://a.example/x)", "link(https://a.example/x name)"],
    ["[wiki](https://a.example/x_(y))", "link(https://a.example/x_(y) wiki)"],
    ["see https://a.example/x_y_z.", "see link(https://a.example/x_y_z https://a.example/x_y_z)."],
    ["<https://a.example/>", "link(https://a.example/ https://a.example/)"],
    ["[bad](javascript:alert(1))", "[bad](javascript:alert(1))"],
    ["[bad](data:text/html,x)", "[bad](data:text/html,x)"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["https://discord.com/channels/1/22/333\nhi", "message(22 333)\nhi"],
    ["https://discord.com/channels/@me/22/333", "message(22 333)"],
    [
      "https://discord.com/channels/1/22/333/4",
      "link(https://discord.com/channels/1/22/333/4 https://discord.com/channels/1/22/333/4)",
    ],
    ["hi <@42> in <#7> at <t:1700000000>", "hi mention(@42) in mention(#7) at time(1700000000)"],
    ["<t:1700000000:R> or <t:1700000000:F>", "time(1700000000 R) or time(1700000000 F)"],
  ])("parses %s", (text, tree) => {
    expect(inline(parseSpans(text))).toBe(tree);
  });

  it("stays fast for a long message of unmatched marks", () => {
    const text = "*_`[|~<".repeat(600);
    expect(inline(parseSpans(text)).length).toBeGreaterThan(0);
  });
});

describe("Markdown blocks", () => {
  it.each<[text: string, tree: unknown[]]>([
    [
      "one\ntwo\n\nthree",
      [
        ["paragraph", "one\ntwo"],
        ["paragraph", "three"],
      ],
    ],
    [
      "# A\n## B\n### C\n#### d\n#e",
      [
        ["h1", "A"],
        ["h2", "B"],
        ["h3", "C"],
        ["paragraph", "#### d\n#e"],
      ],
    ],
    ["-# small **print**", [["subtext", "small strong(print)"]]],
    [
      "> a\n> b\nc",
      [
        ["quote", ["paragraph", "a\nb"]],
        ["paragraph", "c"],
      ],
    ],
    [
      "a\n>>> b\n\n# c",
      [
        ["paragraph", "a"],
        ["quote", ["paragraph", "b"], ["h1", "c"]],
      ],
    ],
    ["- a\n- b\n  - c\n    1. d\n- e", [["list null", ["a"], ["b", ["list null", ["c", ["list 1", ["d"]]]]], ["e"]]]],
    [
      "3. a\n4. b\n- c",
      [
        ["list 3", ["a"], ["b"]],
        ["list null", ["c"]],
      ],
    ],
    ["```ts\nconst a = `b`;\n\n# no\n```", [["code ts", "const a = `b`;\n\n# no"]]],
    [
      "say ```x``` now",
      [
        ["paragraph", "say "],
        ["code ", "x"],
        ["paragraph", " now"],
      ],
    ],
    [
      "```\na\n```\nb\n```c++\nd\n```",
      [
        ["code ", "a"],
        ["paragraph", "b"],
        ["code c++", "d"],
      ],
    ],
    [
      "> ```js\n> x\n> ```\nafter",
      [
        ["quote", ["code js", "x"]],
        ["paragraph", "after"],
      ],
    ],
    ["```ts\nnever closed", [["paragraph", "```ts\nnever closed"]]],
    ["", []],
  ])("parses %j", (text, tree) => {
    expect(outline(parseBlocks(text))).toEqual(tree);
  });
});

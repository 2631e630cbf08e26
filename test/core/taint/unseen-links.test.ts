import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutUnseenLinks } from "../../../src/core/taint/unseen-links.ts";

const SEEN = new Set([
  "https://example.com/",
  "https://example.com/(",
  "https://example.com/#part",
  "https://example.com/a_(b)?c=1",
]);
const EVIL = "https://evil.example/?q=everything";

describe("a link to an address that was never seen", () => {
  it.each([
    [`see ${EVIL}.`, "see `evil.example/?q=everything`."],
    [`see <${EVIL}>`, "see `evil.example/?q=everything`"],
    [`[the cake](${EVIL}), yes`, "the cake (evil.example), yes"],
    [`[the cake](<${EVIL}>)`, "the cake (evil.example)"],
    [`[the cake](${EVIL} "a title")`, "the cake (evil.example)"],
    [`[${EVIL}](${EVIL})`, "`evil.example/?q=everything` (evil.example)"],
    [`[${EVIL}](https://example.com/)`, "[ evil.example/?q=everything](https://example.com/)"],
    [`**${EVIL}**`, "**`evil.example/?q=everything`**"],
    ["https://example.com/a_(b)?c=2", "`example.com/a_(b)?c=2`"],
    ["HTTPS://EVIL.example/x", "`EVIL.example/x`"],
    ["[a](https://evil.example/a_(b))", "a (evil.example)"],
    ["[a](https://:)", "a"],
    ["a \\`https://evil.example/\\` b", "a \\` evil.example/\\` b"],
    ["`https://evil.example/``", "` evil.example/``"],
    ["x ``` https://evil.example/", "x ```  evil.example/"],
    ["\\```https://evil.example/```", "\\``` evil.example/```"],
    ["``a`b`` https://evil.example/ `", "``a`b``  evil.example/ `"],
    ["[`](https://evil.example/) `https://x.example/`", "  (evil.example) `https://x.example/`"],
    ["\\https://evil.example/ `a`", "\\ evil.example/ `a`"],
    ["https://example.com/`?q=1", " example.com/`?q=1"],
    ["https://example.com/>?q=1", "`example.com/`?q=1"],
    ["https://evil.example/\\`https://x.example/`", " evil.example/\\` x.example/`"],
    ["```````https://evil.example/`", "``````` evil.example/`"],
    ["> ```\nhttps://evil.example/\n```", "> ```\n evil.example/\n```"],
    ["# `\nhttps://evil.example/`", "# `\n evil.example/`"],
    ["#  ```\nhttps://evil.example/\n```", "#  ```\n evil.example/\n```"],
    // Within a link with words, Discord removes such a backslash, and then the address begins like any other.
    ["[a](https:\\/\\/evil.example/?q=1)", "[a](:\\/\\/evil.example/?q=1)"],
    ["[a]( <https\\://evil.example/?q=1>)", "[a]( <://evil.example/?q=1>)"],
    ["[a](HTTP:/\\/evil.example/?q=1)", "[a](:/\\/evil.example/?q=1)"],
    ["[a](https:evil.example/?q=1)", "[a](:evil.example/?q=1)"],
    ["[a [b] c](https:https:\\/\\/example.com/)", "[a [b] c](:\\/\\/example.com/)"],
    ["[a [b] c](https://https:\\/\\/example.com/)", "[a [b] c]( example.com/)"],
    ["[a [b] c](http://https:>https\\:evil.example/", "[a [b] c]( :https\\:evil.example/"],
    ["> ```\n> [a](https:\\/\\/evil.example/)\n> ```", "> ```\n> [a]( evil.example/)\n> ```"],
  ])("is text: %s", (text, shown) => expect(withoutUnseenLinks(text, SEEN)).toBe(shown));
});

describe("words of a model that Discord would take for part of a seen address", () => {
  it.each([
    [`https://example.com/<${EVIL}>`, "https://example.com/ `evil.example/?q=everything`"],
    ["<https://example.com/`everything", " example.com/`everything"],
    ["<\nhttps://example.com/<everything>", "<\n`example.com/`<everything>"],
    ["<https://example.com/<everything>", "`example.com/`<everything>"],
    // A browser removes the line end.
    ["<https://example.com/\neverything>", "`example.com/`\neverything>"],
    ["\\<https://example.com/>everything", "\\ example.com/ everything"],
    ["[x](https://example.com/<everything)", "[x](`example.com/`<everything)"],
    ["[x](<https://example.com/>everything)", "[x]( `example.com/`everything)"],
    ["[x](https://example.com/( every thing))", "[x](`example.com/(` every thing))"],
    ["\\[x](https://example.com/)everything", "\\x (example.com)everything"],
    ["[https://example.com/](https://example.com/)everything", "[ example.com/](https://example.com/)everything"],
    ["[x](https://example.com/)everything](https://example.com/)", "x (example.com)everything](https://example.com/)"],
    ["[y](([(b) ](https://example.com/)everything", "[y](((b)  (example.com)everything"],
    // What ends within the words of a link may have begun before it, and then Discord sees no link.
    ["**[**](https://example.com/)everything", "**** (example.com)everything"],
    ["_a [b_](https://example.com/)everything", "_a b_ (example.com)everything"],
    ["||[||](https://example.com/)everything", "|||| (example.com)everything"],
    ["<a:/b[>](https://example.com/)everything", "<a:/b > (example.com)everything"],
    ["https://example.com/<http://\\](https://example.com/) x", "https://example.com/ :](https://example.com/) x"],
    // Discord counts the dots as part of the sentence, so nothing cancels the path before them.
    ["https://example.com/everything/..", "`example.com/everything/`.."],
    // Written like this, the dots belong to the address, and the sign after them, which Discord links, keeps the path before them.
    ["https://example.com/everything/%2e%2e!", "`example.com/everything/%2e%2e`!"],
    ["(https://example.com/every/thing/%2e./.%2E.)", "(`example.com/every/thing/%2e./.%2E`.)"],
    ["<https://example.com/everything/%2e%2e.>", "`example.com/everything/%2e%2e`."],
    ["https://example.com/everything/..\u0001)", "`example.com/everything/..\u0001`)"],
    ["[x [y](https://example.com/everything/..)] z", "[x y (example.com)] z"],
    // Discord removes the backslash, and then the dots belong to the word.
    ["[y](https://example.com/everything\\../)", "y (example.com)"],
    ["see https://example.com/everything\\../!", "see  example.com/everything\\../!"],
  ])("are not linked: %s", (text, shown) => expect(withoutUnseenLinks(text, SEEN)).toBe(shown));
});

describe("a link that only removing another one would create", () => {
  it.each([
    ["http[s://evil.example/everything](https://evil.example/)", "http s://evil.example/everything (evil.example)"],
    ["` https://a.example/h>ttps://evil.example/", "`  a.example/h ttps://evil.example/"],
    ["httpshttps://https://>//evil.example/", "https ://evil.example/"],
    ["<https:/evil.example/?q=1>", "<:/evil.example/?q=1>"],
    ["<\nhttps:/evil.example/?q=1>", "<\n:/evil.example/?q=1>"],
    ["https://>a@evil.example/?q=1", ":>a@evil.example/?q=1"],
    ["https://](a@evil.example/?q=1", ":](a@evil.example/?q=1"],
    ["https://`everything`.evil.example/", ":`everything`.evil.example/"],
    ["[a [b`] c](https://example.com/) https://evil.example/ `", "[a [b`] c]( example.com/)  evil.example/ `"],
    ["[x](`)https://evil.example/`", "[x](`) evil.example/`"],
    ["<x`://y> https://evil.example/`", "<x`://y>  evil.example/`"],
  ])("does not appear: %s", (text, shown) => expect(withoutUnseenLinks(text, SEEN)).toBe(shown));
});

describe("a link that would pass words to a page's own script", () => {
  it.each([
    ["[a](https://example.com/#q=everything)", "[a](https://example.com/)"],
    ["[a](<https://example.com/#q=(everything)>)", "[a](<https://example.com/>)"],
    ["see https://example.com/#q=everything.", "see https://example.com/."],
    ["<https://example.com/a_(b)?c=1#everything>", "<https://example.com/a_(b)?c=1>"],
    ["[a](https://example.com/!!.!.!!)", "a (example.com)"],
    ["see https://example.com/!!.!.!!!!", "see `example.com/`!!.!.!!!!"],
    ["(**see https://example.com/**)...", "(**see https://example.com/**)..."],
  ])("is reduced to the seen address: %s", (text, shown) => expect(withoutUnseenLinks(text, SEEN)).toBe(shown));
});

describe("a link that stays as it is", () => {
  it.each([
    "https://example.com",
    "https://example.com `code`",
    "see https://example.com.",
    "[the page](https://example.com/#part)",
    "(https://example.com/a_(b)?c=1)",
    "[the page](https://example.com/a_(b)?c=1)",
    "`https://evil.example/`",
    "```\nhttps://evil.example/\n```",
    "``a ` https://evil.example/``",
    "`\\` and ```https://evil.example/```",
    "[1] and [2](no address)",
    "and here https://exam",
    "-# on https://discord.com/channels/1/2/3",
    "see <https://example.com/>, and",
    "**[x](https://example.com/)**: [x](https://example.com/)'s [y](https://example.com/)/[z](https://example.com/)",
    "[x](https://example.com/)-page",
    "see [**x** or *y*](https://example.com/), and [z] too",
  ])("%s", (text) => expect(withoutUnseenLinks(text, SEEN)).toBe(text));
});

it("an address within an address is not a link either, whatever code ends before it", () => {
  expect(withoutUnseenLinks(`\`x${EVIL}${EVIL}`, SEEN)).not.toContain("https://");
});

/** The text that Discord shows outside code. A backslash disarms a backtick; backticks close an equally long run; a quote or heading is a line. */
function withoutCode(text: string): string {
  const line = /^ *(?:> |# )[^\n]*/.exec(text)?.[0] ?? "";
  if (line !== "") return withoutCode(line.replace(/^ *(?:> |# )/, "")) + withoutCode(text.slice(line.length));
  let outside = "";
  for (let rest = text; rest !== ""; ) {
    const code = /^(?:```\n*[^\n][\s\S]*?\n*```|(`+)[\s\S]*?[^`]\1(?!`))/.exec(rest)?.[0];
    const taken = code ?? /^(?:\\[^\w\s]|[\s\S])/.exec(rest)?.[0] ?? "";
    outside += code === undefined ? taken : "x";
    rest = rest.slice(taken.length);
    if (taken === "\n") return outside + withoutCode(rest);
  }
  return outside;
}

it("no text gets longer, and no unseen address stays a link, whatever the text", () => {
  const pieces = [
    EVIL,
    `[${EVIL}](https://example.com/)`,
    "https://example.com/",
    "[",
    "[a [b] c](",
    "](",
    ")",
    "<",
    ">",
    "`",
    "```",
    " ",
    "\n",
    "**",
    "x",
    '"',
    "(",
    "http://",
    "\\",
    "https:",
    "\\/\\/evil.example/",
    "https\\://evil.example/",
    "> ",
    "# ",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (parts) => {
      const text = parts.join("");
      const shown = withoutUnseenLinks(text, SEEN);
      expect(shown.length).toBeLessThanOrEqual(text.length);
      expect(withoutCode(shown)).not.toMatch(/https?:\/\/evil|\]\(\s*<?https?\\?:[\\/]*evil/i);
    }),
  );
});

/** How Discord finds links, as far as its kind of parser (simple-markdown) is known. A link whose words are an address is shown as written. */
const RULES = [
  /^```(?:[\w+.#-]+\n)?\n*[^\n][\s\S]*?\n*```/,
  /^(`+)[\s\S]*?[^`]\1(?!`)/,
  /^\\[^\w\s]/,
  /^<(?<link>[^ :>]+:\/[^ >]+)>/,
  /^\[(?<words>(?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?(?<link>(?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+["'][\s\S]*?["'])?\s*\)/,
  /^(?<link>https?:\/\/[^\s<]+[^<.,:;"'\]\s])/,
];

function linksOf(text: string): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const taken = RULES.map((rule) => rule.exec(rest)).find(
      (one) => one && !/https?:\/\//.test(one.groups?.words ?? ""),
    );
    const link = taken?.groups?.link?.replace(/\\(?=[^\w\s])/g, "") ?? "";
    if (URL.canParse(link)) found.push(link);
    rest = rest.slice(taken?.[0].length ?? 1);
  }
  return found;
}

it("every link that Discord finds leads to a seen address, whatever the text", () => {
  const pieces =
    'https://example.com/|<https://evil.example>|http://evil.example/x|http://|@evil.example/|[x](|https://example.com/(|[a [b] c](|](|](https://example.com/)|[https://example.com/](https://example.com/)|(b)|)|[|]|<|>|`|```|\\|\n| |"|..|https|http:\\/\\/evil.example|ttps://evil.example|s://evil.example/x|words|/'.split(
      "|",
    );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (parts) => {
      const shown = withoutUnseenLinks(parts.join(""), SEEN);
      // A few characters that may end a sentence may also belong to the address.
      const ends = /(?<=com\/\(?)[.,;:!?'")\]*_~|/]{1,8}$/;
      const unseen = linksOf(shown).filter(
        (link) => !SEEN.has(link.replace(ends, "")) && !SEEN.has(new URL(link).href.replace(ends, "")),
      );
      expect(unseen.filter((link) => /^https?:\/*\w/i.test(link))).toEqual([]);
    }),
    { numRuns: 3000, examples: [[["https://example.com/", "words", "/", "..", "/", ")"]]] },
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutUnseenLinks } from "../../../src/core/taint/unseen-links.ts";

const SEEN = new Set(["https://example.com/", "https://example.com/a_(b)?c=1"]);
const EVIL = "https://evil.example/?q=everything";

describe("a link to an address that was never seen", () => {
  it.each([
    [`see ${EVIL}.`, "see `evil.example/?q=everything`."],
    [`see <${EVIL}>`, "see `evil.example/?q=everything`"],
    [`[the cake](${EVIL}), yes`, "the cake (evil.example), yes"],
    [`[the cake](<${EVIL}>)`, "the cake (evil.example)"],
    [`[the cake](${EVIL} "a title")`, "the cake (evil.example)"],
    [`[${EVIL}](${EVIL})`, "`evil.example/?q=everything` (evil.example)"],
    [`**${EVIL}**`, "**`evil.example/?q=everything`**"],
    ["https://example.com/a_(b)?c=2", "`example.com/a_(b)?c=2`"],
    ["HTTPS://EVIL.example/x", "`EVIL.example/x`"],
    ["[a](https://evil.example/a_(b))", "a (evil.example)"],
    ["[a](https://:)", "a"],
  ])("is text: %s", (text, shown) => expect(withoutUnseenLinks(text, SEEN)).toBe(shown));
});

describe("a link that stays as it is", () => {
  it.each([
    "https://example.com",
    "see https://example.com.",
    "[the page](https://example.com/#part)",
    "(https://example.com/a_(b)?c=1)",
    "[the page](https://example.com/a_(b)?c=1)",
    "`https://evil.example/`",
    "```\nhttps://evil.example/\n```",
    "```\nhttps://evil.example/",
    "[1] and [2](no address)",
    "and here https://exam",
    "-# on https://discord.com/channels/1/2/3",
  ])("%s", (text) => expect(withoutUnseenLinks(text, SEEN)).toBe(text));
});

it("an address within an address is no link either, whatever code ends before it", () => {
  expect(withoutUnseenLinks(`\`x${EVIL}${EVIL}`, SEEN)).not.toContain("https://");
});

it("no text becomes longer, and no unseen address stays a link, whatever the text", () => {
  const pieces = [
    EVIL,
    "https://example.com/",
    "[",
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
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (parts) => {
      const text = parts.join("");
      const shown = withoutUnseenLinks(text, SEEN);
      expect(shown.length).toBeLessThanOrEqual(text.length);
      const outsideCode = shown.replace(/```[\s\S]*?(?:```|$)|`[^`\n]+`/g, " ");
      expect(outsideCode).not.toMatch(/https?:\/\/evil/i);
    }),
  );
});

// What strangers wrote, on the owner's page: it is text, whatever it looks like.
import { expect, it } from "vitest";
import type { InspectedTurn, InspectedTurnLine } from "../../src/core/state/inspected.ts";
import { channelPage } from "../../src/inspector/channel-page.ts";
import { homePage } from "../../src/inspector/home-page.ts";
import { placeOf, renderPage } from "../../src/inspector/layout.ts";
import { turnPage } from "../../src/inspector/turn-page.ts";
import { CHANNEL, channelInfo, finishedTurn, home } from "../support/inspected.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  "</pre></main><img src=x onerror=alert(1)>",
  `" autofocus onfocus="alert(1)`,
  "' onclick='alert(1)",
  "javascript:alert(1)",
  "]]><!--<script>",
  "\u202egnp.exe\u2066",
  "a\0b\u0007c\u001b[31m\u007f",
  "\ud800 half a pair",
  "&lt;script&gt;&amp;",
  "{{constructor.constructor('alert(1)')()}}",
  "x".repeat(100_000),
];

/** Replaces every text in the data with this one. Numbers, kinds and null stay. */
function poisoned<Value>(value: Value, words: string, kept: ReadonlySet<string>): Value {
  if (typeof value === "string") return words as Value;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, words, kept)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, kept.has(key) ? one : poisoned(one, words, kept)]);
  return Object.fromEntries(entries) as Value;
}

const KINDS = new Set(["state", "status", "role", "kind", "method", "outcome", "day", "lastDay"]);

function pagesWith(words: string): string[] {
  const turn: InspectedTurn = poisoned(finishedTurn, words, KINDS);
  const lines: InspectedTurnLine[] = [turn];
  const info = poisoned({ ...channelInfo, running: finishedTurn }, words, KINDS);
  const names = { [words]: words, [placeOf(words)]: words, [CHANNEL]: words };
  const view = { channel: CHANNEL, filter: { userId: words, status: null }, before: null };
  return [
    renderPage(turnPage({ channel: CHANNEL, request: null, names }, turn)),
    renderPage(turnPage({ channel: CHANNEL, request: 1, names }, turn)),
    renderPage(channelPage(view, { channel: info, turns: lines, before: null, names })),
    renderPage(homePage(poisoned(home, words, KINDS), names)),
  ];
}

/** The tags of a page and the names of their attributes, without what is between and inside them. */
const skeleton = (html: string): string[] =>
  (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/="[^"]*"/g, ""));

it("makes no tag and no attribute out of strangers' words", () => {
  const harmless = pagesWith("harmless").map(skeleton);
  for (const words of HOSTILE.filter((one) => one.length < 1000))
    expect(pagesWith(words).map(skeleton)).toEqual(harmless);
});

it("links only to its own pages and to Discord", () => {
  for (const words of HOSTILE)
    for (const page of pagesWith(words))
      for (const [, address = ""] of page.matchAll(/(?:href|action|src|data-watch|data-copy)="([^"]*)"/g))
        expect(address).toMatch(/^(\/inspect|https:\/\/discord\.com\/channels\/|#|data:,$)/);
});

it("replaces what no page can show, and keeps a change of direction inside its own element", () => {
  const [turn = ""] = pagesWith("a\0b\u0007\u001b\u202ec");
  expect(turn).toContain("a\ufffdb\ufffd\ufffd\u202ec");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(turn).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/);
  // Blocks and <bdi> isolate by themselves; the style makes these inline elements do so.
  const holders = [...turn.matchAll(/<(\w+)[^>]*>[^<]*\u202e/g)].map(([, tag]) => tag);
  const isolating = ["title", "a", "li", "bdi", "pre", "dd", "small", "td", "h1", "span", "summary", "strong", "h3"];
  expect([...new Set(holders)].filter((tag) => !isolating.includes(tag ?? ""))).toEqual([]);
});

it("folds a word of 100 KB, and has it once for each place that shows it", () => {
  const words = "x".repeat(100_000);
  const page = renderPage(
    turnPage({ channel: CHANNEL, request: null, names: {} }, { ...finishedTurn, thoughts: words }),
  );
  expect(page).toContain("<summary>Show 100,000 characters</summary>");
  expect(page.length).toBeLessThan(150_000);
});

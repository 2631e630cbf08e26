// The sources below an answer: their links, and how many.
import { expect, it } from "vitest";
import { sourceLines } from "../../../src/core/copy/sources.ts";

const page = (url: string, title: string | null = null) => ({ url, host: "example.org", title });

it("a page whose address Discord wouldn't link is named without it", () => {
  const longest = `https://example.org/${"x".repeat(492)}`;
  expect(sourceLines([page(longest)])).toBe(`-# [1] [example.org](<${longest}>)`);
  expect(sourceLines([page(`${longest}x`)])).toBe("-# [1] example.org");
});

it("fifteen pages are listed, and the others counted", () => {
  const pages = (count: number) => sourceLines(Array(count).fill(page("https://example.org/"))).split("\n");
  expect([sourceLines([]), pages(15).length, pages(16).at(-1)]).toEqual(["", 15, "-# and 1 more"]);
});

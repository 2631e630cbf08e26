import { describe, expect, it } from "vitest";
import {
  addressesIn,
  addressesInJson,
  addressesInWords,
  isPlainAddress,
  normalAddress,
} from "../../../src/core/taint/addresses.ts";

describe("the normal form of an address", () => {
  it.each([
    ["HTTPS://Example.COM", "https://example.com/"],
    ["https://example.com:443/a/../b#part", "https://example.com/b"],
    [" http://example.com/?q=1 ", "http://example.com/?q=1"],
    ["https://例え.jp/", "https://xn--r8jz45g.jp/"],
    ["https://ｅxample.com/", "https://example.com/"],
    ["javascript:alert(1)", null],
    ["example.com", null],
    ["https://", null],
  ])("of %s is %s", (text, normal) => expect(normalAddress(text)).toBe(normal));
});

describe("the addresses in a text", () => {
  it.each([
    ["see https://example.com/a.", "https://example.com/a"],
    ["(https://example.com/a)", "https://example.com/a"],
    ["a link [there](https://example.com/a?b=c) and more", "https://example.com/a?b=c"],
    ["[https://example.com/x](https://example.com/a)", "https://example.com/a"],
    ["<https://example.com/a>", "https://example.com/a"],
    ["请看https://example.com/a。谢谢", "https://example.com/a"],
    ["https://en.example.com/wiki/A_(b)", "https://en.example.com/wiki/A_(b)"],
    ["**https://example.com/a**", "https://example.com/a"],
    ["|https://example.com/a|b|", "https://example.com/a"],
  ])("%s has its address", (text, address) => expect([...addressesIn(text)]).toContain(address));

  it("are only those that were written: none that continues with other characters", () => {
    const found = addressesIn("Read https://example.com/a and https://example.com/b?c=1");
    for (const other of ["https://example.com/", "https://example.com/a?secret=1", "https://example.com/b"])
      expect(found).not.toContain(other);
  });

  it("are read without up to eight punctuation marks at their end", () => {
    const isRead = (signs: number) =>
      addressesIn(`https://example.com/a${"!".repeat(signs)}`).has("https://example.com/a");
    expect([0, 8, 9].map(isRead)).toEqual([true, true, false]);
  });

  it("count without a scheme in a person's words, but not in a page", () => {
    expect([...addressesInWords("what does example.com/a say?")]).toContain("https://example.com/a");
    expect([...addressesInWords("what does example.com say?")]).toContain("https://example.com/");
    expect(addressesIn("what does example.com/a say?").size).toBe(0);
    expect(addressesInWords("write to mira@example.com").size).toBe(0);
  });

  it("include both the form with a fragment and the form without it", () => {
    const found = [...addressesIn("see https://example.com/a#b.")];
    expect(found).toEqual(expect.arrayContaining(["https://example.com/a", "https://example.com/a#b"]));
  });

  it("are found at any depth of a result", () => {
    const data = { text: "x", links: [{ url: "https://example.com/a", text: "https://example.com/b" }], n: 1, z: null };
    expect([...addressesInJson(data)]).toEqual(["https://example.com/a", "https://example.com/b"]);
  });

  it("of a hostile text are limited in number", () => {
    expect(addressesIn("https://".repeat(20_000)).size).toBeLessThanOrEqual(2100);
    expect(addressesIn(Array.from({ length: 5000 }, (_, n) => `https://example.com/${n}`).join(" ")).size).toBe(2000);
    expect(addressesInWords(Array.from({ length: 5000 }, (_, n) => `example.com/${n}`).join(" ")).size).toBe(2000);
  });
});

describe("a plain address", () => {
  it.each([
    ["https://developer.mozilla.org/en-US/docs/Web/API/URL", true],
    ["https://example.com/?q=1", false],
    ["https://example.com/?", false],
    ["https://example.com/#secret", false],
    [`https://example.com/${"a".repeat(100)}`, true],
    [`https://example.com/${"a".repeat(101)}`, false],
  ])("%s: %s", (address, isPlain) => expect(isPlainAddress(address)).toBe(isPlain));
});

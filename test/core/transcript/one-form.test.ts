// Words in one form, however they are written and however many marks they have.
import { expect, it } from "vitest";
import { cleanName } from "../../../src/core/transcript/names.ts";
import { inOneForm } from "../../../src/core/transcript/one-form.ts";

it("millions of marks on one character take no longer than any other text, and 30 of them are kept", () => {
  // Sorting these takes the platform a quarter of an hour. The second kind is a letter by its class, but becomes a mark.
  for (const pair of ["\u0301\u0323", "\uff9e\u0301"]) {
    expect([...inOneForm(`[${pair.repeat(1_000_000)} · u1]`)]).toHaveLength(37);
    expect([...cleanName(`A${pair.repeat(1_000_000)}`)].length).toBeLessThanOrEqual(32);
  }
});

it("fewer marks than that stay in a text, in the order that Unicode gives them", () => {
  expect(inOneForm(`q${"\u0301\u0323".repeat(14)}`)).toBe(`q${"\u0323".repeat(14)}${"\u0301".repeat(14)}`);
  expect(inOneForm("Ｍｉｒａ\u0301 ﷺ")).toBe("Mirá صلى الله عليه وسلم");
});

// What people read if they may not use the bot: every sentence says who can change that, or when to try again.
import { expect, it } from "vitest";
import { accessText } from "../../../src/core/copy/access.ts";
import { accessSamples } from "./access-samples.ts";

it("names the person who can change it, or the time to try again", () => {
  const sentences = (accessSamples["access.accessText"] ?? []).map((args) =>
    Reflect.apply(accessText, undefined, args),
  );
  expect(sentences.length).toBeGreaterThan(9);
  expect(sentences.filter((text) => !/[Mm]y owner|Whoever runs me|Manage Server|Try again/.test(text))).toEqual([]);
});

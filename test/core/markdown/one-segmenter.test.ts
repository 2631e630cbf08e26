// The segmenter is created only once, because that takes longer than measuring a cell, and each edit measures all cells.
import { expect, it } from "vitest";
import { split } from "../../../src/core/markdown/split.ts";

it("measures all cells of a table with the same segmenter", () => {
  const { Segmenter } = Intl;
  let made = 0;
  const Counted = class extends Segmenter {
    constructor() {
      super();
      made++;
    }
  };
  Object.assign(Intl, { Segmenter: Counted });
  const rows = Array.from({ length: 40 }, (_, index) => `| 日本${index} | 東京 |\n`);
  const [part] = split(`| 国 | 首都 |\n|---|---|\n${rows.join("")}`);
  Object.assign(Intl, { Segmenter });
  // No segmenter is created if another test has measured before.
  expect([part?.content.includes("日本39 | 東京"), made < 2]).toEqual([true, true]);
});

// Messages of very many lines: the time for each line must not depend on how many come before it.
import { expect, it } from "vitest";
import { split } from "../../../src/core/markdown/split.ts";

it("a message of 300,000 lines is cut without copying what was read for each line", () => {
  // Copying a list of the lines for each of them would move 360 GB.
  const text = `${"\n".repeat(600_000)}end`;
  const parts = split(text, 300_000);
  expect(parts.map(({ piece }) => piece).join("")).toBe(text);
  expect(parts).toHaveLength(3);
});

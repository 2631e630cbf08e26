// What a turn reads about the shipped tools, which is generated from the tools themselves.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cardsText } from "../../src/tools/cards/cards-text.ts";
import { shipped } from "../../src/tools/cards/shipped.ts";
import { tools } from "../../src/tools/index.ts";

it("the cards of the tools are those that `npm run cards` writes", async () => {
  const text = await readFile(join(import.meta.dirname, "../../src/tools/cards/cards.json"), "utf8");
  expect(text).toBe(cardsText());
});

it("each card loads its own tool", async () => {
  expect(shipped.list().map(({ name }) => name)).toEqual(tools.map(({ name }) => name).sort());
  for (const tool of tools) expect((await shipped.open(tool.name))?.tool).toEqual(tool);
  expect(await shipped.open("toString")).toBe(null);
});

// What goes back to Discord at once.
import { expect, it } from "vitest";
import { choices, privately } from "../../../src/discord/interactions/respond.ts";

it("only choices whose name and value fit are offered", () => {
  const [fits, long] = ["x".repeat(100), "x".repeat(101)];
  const offered = [
    { name: "a", value: fits },
    { name: "b", value: long },
    { name: long, value: "c" },
    { name: "d", value: "" },
    fits,
  ];
  expect(choices(offered).data.choices).toEqual([
    { name: "a", value: fits },
    { name: fits, value: fits },
  ]);
});

it.each([
  [1999, 1999],
  [2000, 2000],
  [2001, 2000],
])("of a sentence of %i characters, %i are sent, and the last one shows a cut", (given, sent) => {
  const { content } = privately("\u{1f600}".repeat(given)).data;
  expect([[...content].length, content.endsWith("…")]).toEqual([sent, given > 2000]);
});

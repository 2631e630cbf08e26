// What goes back to Discord at once.
import { expect, it } from "vitest";
import { choices } from "../../../src/discord/interactions/respond.ts";

it("of what could be chosen, only that is offered of which name and value fit", () => {
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

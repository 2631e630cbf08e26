// How much of a persona's prompt its line in the list shows.
import { expect, it } from "vitest";
import { personasText } from "../../../src/core/copy/personas.ts";

it("a prompt of fifty characters is shown whole, and a longer one says that it goes on", () => {
  const [fifty] = personasText([{ name: "Ada", prompt: "x".repeat(50), avatarUrl: null }], null).split("\n");
  const [longer] = personasText([{ name: "Ada", prompt: "x".repeat(51), avatarUrl: null }], null).split("\n");
  expect([fifty, longer]).toEqual([`- **Ada**: ${"x".repeat(50)}`, `- **Ada**: ${"x".repeat(50)}…`]);
});

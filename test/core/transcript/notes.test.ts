// Our own words beside the conversation: what strangers have a part in is told apart from what only people here have said.
import { expect, it } from "vitest";
import { noteMessage } from "../../../src/core/transcript/notes.ts";

it("a note from a tainted turn taints weakly, and no other does", () => {
  expect([noteMessage("tea", true), noteMessage("tea", false)]).toEqual([
    { role: "user", text: "tea", taint: "weak" },
    { role: "user", text: "tea" },
  ]);
});

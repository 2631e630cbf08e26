// The bot's own notes for a conversation: those that strangers had a part in are told apart from those that only people here caused.
import { expect, it } from "vitest";
import { noteMessage } from "../../../src/core/transcript/notes.ts";

it("a note from a tainted turn causes a weak taint, and no other note does", () => {
  expect([noteMessage("tea", true), noteMessage("tea", false)]).toEqual([
    { role: "user", text: "tea", taint: "weak" },
    { role: "user", text: "tea" },
  ]);
});

// What people read when they ask the bot to remember a fact about them: where it applies, or which list is full.
import { expect, it } from "vitest";
import { rememberedText } from "../../../src/core/copy/own-facts.ts";

it("says where a fact is used", () => {
  const kept = { op: "remembered", number: 3 } as const;
  expect(rememberedText(kept, "server")).toContain(
    "number 3. I read it with your questions, from now on here and within a minute everywhere in this server, and",
  );
  expect(rememberedText(kept, "outside")).toContain(
    "with your questions, within a minute everywhere outside servers, and",
  );
});

it("says which list is full: the person's own, or the list of all people", () => {
  const own = { op: "full", limit: 20 } as const;
  const all = { ...own, of: "people" } as const;
  expect(rememberedText(own, "server")).toContain("at most 20 facts like this. Ask me to forget one");
  expect(rememberedText(all, "server")).toContain("at most 20 people in this server,");
  expect(rememberedText(all, "outside")).toContain("at most 20 people outside servers,");
});

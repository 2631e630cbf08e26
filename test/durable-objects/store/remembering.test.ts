// A life's memory of its storage equals what is stored. The store's contract, which runs over this memory too, covers most of it.
import { expect, it } from "vitest";
import { remembering } from "../../../durable-objects/store/remembering.ts";
import { newTurn } from "../../../src/core/state/record.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { testRequest } from "../../support/store-contract.ts";

it("settings are read again when they have changed, and not when the change failed", () => {
  const store = remembering(memoryStore());
  const looks: unknown[] = [];
  const look = () => looks.push({ ...store.settings(), ...store.parentSettings() });
  look();
  store.putSetting("notices", "false");
  store.saveParentSettings({ private: "true" });
  look();
  const failing = () =>
    store.transaction(() => {
      store.putSetting("notices", null);
      store.saveParentSettings({});
      look();
      throw new Error("in the middle");
    });
  expect(failing).toThrow("in the middle");
  look();
  const changed = { notices: "false", private: "true" };
  expect(looks).toEqual([{}, changed, {}, changed]);
});

it("what a turn was asked with is read once, and again when the turn was written, forgotten or not written after all", () => {
  const stored = memoryStore();
  let reads = 0;
  const store = remembering({
    ...stored,
    recallAsked(id) {
      reads++;
      return stored.recallAsked(id);
    },
  });
  const asked = { ...newTurn(testRequest("1"), "finished", 0, 0), endedAt: 1 };
  const looks: unknown[] = [];
  const look = () => looks.push([store.recallAsked("1")?.quoted, store.recallAsked("1")?.quoted, reads]);
  const quoting = (quoted: string) => ({ ...asked, request: { ...asked.request, quoted } });
  store.insertTurn(quoting("> one"));
  look();
  store.saveTurn(quoting("> two"));
  look();
  const failing = () =>
    store.transaction(() => {
      store.saveTurn(quoting("> three"));
      look();
      throw new Error("in the middle");
    });
  expect(failing).toThrow("in the middle");
  look();
  store.forgetPerson(asked.request.userId);
  looks.push(store.recallAsked("1"));
  expect(looks).toEqual([
    ["> one", "> one", 1],
    ["> two", "> two", 2],
    ["> three", "> three", 3],
    ["> two", "> two", 4],
    null,
  ]);
});

// A life's memory of its storage equals what is stored. The store's contract, which runs over this memory too, covers most of it.
import { expect, it } from "vitest";
import { remembering } from "../../../durable-objects/store/remembering.ts";
import { memoryStore } from "../../support/memory-store.ts";

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

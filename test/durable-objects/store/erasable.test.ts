// A storage that is deleted while its object lives on, over Node's own SQLite: reads and writes after the deletion, and after
// one that failed.
import { expect, it } from "vitest";
import { erasable } from "../../../durable-objects/store/erasable.ts";
import { openMemories, openNotes } from "../../../durable-objects/store/memories.ts";
import { migrate, openSqliteStore } from "../../../durable-objects/store/sqlite.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";

/** Makes a storage with one memory and one note, and the stores over it. */
function arrange(deleteAll?: () => Promise<void>, prepare = migrate) {
  const database = nodeSqlite();
  const failures: unknown[] = [];
  const storage = erasable({ ...database, ...(deleteAll && { deleteAll }) }, prepare, (error) => failures.push(error));
  const store = openSqliteStore(storage);
  const memories = openMemories(storage);
  memories.add({ text: "tea", userId: "10", at: 0 });
  store.putSetting("notices", "false");
  const tables = () => database.sql.exec("SELECT name FROM sqlite_master").toArray().length;
  return { storage, store, memories, notes: openNotes(storage), failures, tables };
}

it("has no table until something is read or written, and then all of them, empty", async () => {
  const { storage, store, memories, notes, tables } = arrange();
  storage.erase();
  expect(tables()).toBe(0);
  expect([memories.count(), notes.read(), store.settings(), store.sizes()]).toEqual([
    0,
    "",
    {},
    { turns: 0, messages: 0 },
  ]);
  expect(memories.add({ text: "milk", userId: "10", at: 0 })).toBe(1);
  expect(memories.find("milk", 1)).toHaveLength(1);
  storage.erase();
  store.transaction(() => store.putSetting("notices", "true"));
  expect([store.settings(), memories.count()]).toEqual([{ notices: "true" }, 0]);
});

it.each<[string, () => Promise<void>]>([
  [
    "at once",
    () => {
      throw new Error("disk full");
    },
  ],
  ["later", () => Promise.reject(new Error("disk full"))],
])("that can't be deleted (%s) reports it and keeps its rows", async (_when, deleteAll) => {
  const { storage, store, memories, failures } = arrange(deleteAll);
  storage.erase();
  await Promise.resolve();
  expect([String(failures), store.settings(), memories.count()]).toEqual(["Error: disk full", { notices: "false" }, 1]);
  memories.add({ text: "milk", userId: "10", at: 0 });
  expect(memories.count()).toBe(2);
});

it("is prepared again if its preparation failed, and then has every table", () => {
  let fails = 0;
  const { storage, memories } = arrange(undefined, (database) => {
    if (++fails === 1) throw new Error("busy");
    migrate(database);
  });
  storage.erase();
  expect(() => memories.count()).toThrow("busy");
  expect(memories.count()).toBe(0);
});

// The SQLite store meets the contract of the channel's storage inside the runtime, and its schema only moves forward.
import { describe, expect, it } from "vitest";
import { openMemories } from "../../durable-objects/store/memories.ts";
import { migrations } from "../../durable-objects/store/migrations.ts";
import { remembering } from "../../durable-objects/store/remembering.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import older from "../fixtures/channel-v6.sql?raw";
import { privacyContract } from "../support/privacy-contract.ts";
import { rowContract } from "../support/row-contract.ts";
import { storeContract } from "../support/store-contract.ts";
import { THEO } from "../support/workerd-harness.ts";
import { inside, quiet, runAlarm, text, world } from "./arrange.ts";

describe.each([
  ["the SQLite store", openSqliteStore],
  [
    "the SQLite store with a memory in front of it",
    (storage: DurableObjectStorage) => remembering(openSqliteStore(storage)),
  ],
] as const)("%s", (_name, open) => {
  it.each([...storeContract, ...rowContract, ...privacyContract].map((one) => [one.name, one.run] as const))(
    "%s",
    async (_name, run) => {
      const [seen, wanted] = await inside(world(), (_object, { storage }) => run(open(storage)));
      expect(seen).toEqual(wanted);
    },
  );
});

it("an object's cache keeps results of the persistent scope in its storage", async () => {
  const entry = { json: "{}", expiresAt: Number.MAX_SAFE_INTEGER };
  const kept = await inside(world(), ({ channel }, { storage }) => {
    channel.ports.cache.put({ kind: "persistent" }, "k", entry);
    const rows = storage.sql.exec("SELECT * FROM cached_results").toArray();
    return [channel.ports.cache.get({ kind: "persistent" }, "k"), rows.map(({ key }) => key)];
  });
  expect(kept).toEqual([entry, ["k"]]);
});

describe("the schema", () => {
  it("is migrated once and left alone afterwards", async () => {
    const versions = await inside(world(), (_object, { storage }) => {
      openSqliteStore(storage);
      openSqliteStore(storage);
      return storage.sql.exec("SELECT version FROM schema").toArray();
    });
    expect(versions).toEqual([{ version: migrations.length }]);
  });

  it("of a newer program is refused instead of damaged", async () => {
    const refused = await inside(world(), (_object, { storage }) => {
      storage.sql.exec("UPDATE schema SET version = 999");
      try {
        openSqliteStore(storage);
        return "opened";
      } catch (error) {
        return String(error);
      }
    });
    expect(refused).toContain("version 999");
  });

  it("of an older program is migrated, and its rows are read as they were written", async () => {
    const read = await inside(world(), async (_object, { storage }) => {
      await storage.deleteAll();
      storage.sql.exec(older);
      const { running, queue, parked, closing } = openSqliteStore(storage).state();
      const ids = [running ? [running] : [], queue, parked, closing].map((turns) => turns.map(({ id }) => id));
      const memories = openMemories(storage);
      const found = ["hike", "火曜", "quotes"].map((words) => memories.find(words, 10).map(({ number }) => number));
      const added = memories.add({ text: "new", userId: "10", at: 0 });
      return [ids, found, added, storage.sql.exec("SELECT version FROM schema").toArray()];
    });
    expect(read).toEqual([[["112"], ["113"], ["110"], ["111"]], [[1], [2], []], 4, [{ version: migrations.length }]]);
  });
});

describe("a channel with nothing left in it", () => {
  it("deletes its whole storage and its alarm, and starts from scratch with the next request, in the same life", async () => {
    const w = world();
    w.model.script([text("done"), text("again")]);
    await w.say(THEO, "hi");
    await quiet(w);
    w.time.jump(31 * 86_400_000);
    expect(await runAlarm(w)).toBe(true);
    const left = await inside(w, async (_object, { storage }) => ({
      // Not through a store, which would create a new database.
      tables: storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
      alarm: await storage.getAlarm(),
    }));
    expect(left).toEqual({ tables: [], alarm: null });
    await w.say(THEO, "hi");
    await quiet(w);
    expect(w.answers(THEO).at(-1)).toBe("again");
  });
});

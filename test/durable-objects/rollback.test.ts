// A deploy that is rolled back: databases that the newer program has migrated are opened by this one again.
import { expect, it } from "vitest";
import { migrateBy } from "../../durable-objects/store/migrate.ts";
import { migrations, OLDEST_READER } from "../../durable-objects/store/migrations.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import { createChannelHarness } from "../support/channel-harness.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";
import { olderDatabase } from "../support/older-channel.ts";

const HERE = migrations.length;
const ADDS = "CREATE TABLE later (id TEXT PRIMARY KEY)";
const schemaOf = ({ sql }: ReturnType<typeof nodeSqlite>) => sql.exec("SELECT * FROM schema").toArray();

it.each([
  ["new", nodeSqlite, 0],
  ["older", olderDatabase, 12],
] as const)(
  "this program works with a %s database that a newer one has left, if the newer one allows it",
  (_, make, turns) => {
    const database = make();
    migrateBy([...migrations, ADDS], database, HERE);
    const c = createChannelHarness({ database });
    expect(c.store.sizes().turns).toBe(turns);
    c.store.transaction(() => c.store.putSetting("private", "true"));
    expect(openSqliteStore(database).settings().private).toBe("true");
    expect(schemaOf(database)).toEqual([{ version: HERE + 1, readable_from: HERE }]);
    // The newer one comes back and has nothing to migrate.
    migrateBy([...migrations, ADDS], database, HERE);
    expect(schemaOf(database)).toEqual([{ version: HERE + 1, readable_from: HERE }]);
  },
);

it("refuses a database after a step that it can't work with, whatever an earlier step allowed", () => {
  const database = olderDatabase();
  migrateBy([...migrations, ADDS], database, HERE);
  migrateBy([...migrations, ADDS, "DROP TABLE notes"], database, HERE + 2);
  expect(() => openSqliteStore(database)).toThrow(`the stored data has version ${HERE + 2}`);
});

it("no list of steps requires a reader newer than its own program", () => {
  expect(OLDEST_READER).toBeLessThanOrEqual(HERE);
});

// What a channel remembers about messages that are not turns: for a day, a bounded number, and nothing about a person who asks to be forgotten.
import { expect, it } from "vitest";
import { openMarks } from "../../../durable-objects/store/marks.ts";
import { migrate } from "../../../durable-objects/store/sqlite.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";

const DAY_MS = 86_400_000;

function marks() {
  const database = nodeSqlite();
  migrate(database);
  return { database, marks: openMarks(database) };
}

it("keeps the newest time of each mark for a day, and says until when", () => {
  const { marks: kept } = marks();
  expect([kept.at("a:1"), kept.keptUntil()]).toEqual([null, 0]);
  kept.put("a:1", 1000);
  kept.put("a:1", 2000);
  expect([kept.at("a:1"), kept.keptUntil()]).toEqual([2000, 2000 + DAY_MS]);
  kept.put("b:1", 2000 + DAY_MS);
  expect(kept.at("a:1")).toBeNull();
  kept.dropOld(2000 + 2 * DAY_MS);
  expect([kept.at("b:1"), kept.keptUntil()]).toEqual([null, 0]);
});

it("keeps the newest five hundred", () => {
  const { database, marks: kept } = marks();
  for (let count = 0; count < 510; count++) kept.put(`deleted:${count}`, count);
  expect(database.sql.exec("SELECT count(*) AS n, min(at) AS first FROM marks").toArray()).toEqual([
    { n: 500, first: 10 },
  ]);
});

it("forgets a person, and nobody whose id has the same ending", () => {
  const { marks: kept } = marks();
  for (const key of ["refused:22", "hint:22", "refused:122", "deleted:7"]) kept.put(key, 1);
  kept.forgetPerson("22");
  expect(["refused:22", "hint:22", "refused:122", "deleted:7"].map((key) => kept.at(key))).toEqual([null, null, 1, 1]);
});

it("keeps the parent of a thread permanently", () => {
  const { marks: kept } = marks();
  expect(kept.parent()).toBeNull();
  kept.saveParent("10");
  kept.saveParent("10");
  kept.dropOld(9 * DAY_MS);
  expect(kept.parent()).toBe("10");
});

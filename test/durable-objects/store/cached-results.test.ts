// The `persistent` cache scope: a result outlives the object's memory until it expires, and old ones make room.
import { describe, expect, it } from "vitest";
import { MAX_CACHED_RESULTS, openCachedResults } from "../../../durable-objects/store/cached-results.ts";
import { openSqliteStore } from "../../../durable-objects/store/sqlite.ts";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import { createResultCache } from "../../../src/toolkit/run/cache.ts";
import { ToolRuntime } from "../../../src/toolkit/run/runtime.ts";
import { createTestClock } from "../../support/clock.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { tool } from "../../support/turn-script.ts";

const rows = (storage: ReturnType<typeof nodeSqlite>) =>
  storage.sql.exec("SELECT key FROM cached_results ORDER BY key").toArray();

it("a tool whose results are cached in storage runs once over all lives of the object, until the result expires", async () => {
  let runs = 0;
  const clock = createTestClock(1000);
  const storage = nodeSqlite();
  openSqliteStore(storage);
  const look = tool("look", () => ({ ok: true, data: ++runs }), { cache: { scope: "persistent", ttlSeconds: 3600 } });
  const live = () => {
    const cache = createResultCache(openCachedResults(storage, clock.now));
    const runtime = new ToolRuntime(createToolRegistry([look]), { ...clock.timers, clock: clock.now, cache });
    return async () => (await runtime.execute({ name: "look" })).data;
  };
  const first = live();
  expect([await first(), await first(), await live()()]).toEqual([1, 1, 1]);
  await clock.advance(3_600_000);
  expect([await live()(), runs]).toEqual([2, 2]);
});

describe("cached results", () => {
  const opened = () => {
    const storage = nodeSqlite();
    openSqliteStore(storage);
    let now = 0;
    const cache = openCachedResults(storage, () => now);
    const pass = (ms: number) => {
      now += ms;
    };
    return { storage, cache, pass };
  };
  const entry = (expiresAt: number, json = "{}") => ({ json, expiresAt });

  it("are replaced by newer ones of the same call", () => {
    const { cache } = opened();
    cache.set("a", entry(10, "1"));
    cache.set("a", entry(20, "2"));
    expect([cache.get("a"), cache.get("b")]).toEqual([entry(20, "2"), undefined]);
  });

  it("are deleted when they have expired, with the next result that is stored", () => {
    const { storage, cache, pass } = opened();
    cache.set("a", entry(10));
    cache.set("b", entry(11));
    pass(10);
    cache.set("c", entry(20));
    expect(rows(storage)).toEqual([{ key: "b" }, { key: "c" }]);
  });

  it("are limited in number; beyond the limit those that expire first are deleted", () => {
    const { storage, cache } = opened();
    for (let index = 0; index < MAX_CACHED_RESULTS; index++) cache.set(`k${index}`, entry(1000 + index));
    expect(rows(storage)).toHaveLength(MAX_CACHED_RESULTS);
    cache.set("last", entry(5000));
    expect(rows(storage)).toHaveLength(MAX_CACHED_RESULTS);
    expect([cache.get("k0"), cache.get("k1")]).toEqual([undefined, entry(1001)]);
  });
});

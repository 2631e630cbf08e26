// What the deployment and the servers decide and remember, across lives of their objects.
import { describe, expect, it } from "vitest";
import { MAX_BLOCKED, MAX_SERVERS, openScopeStore } from "../../../durable-objects/scope/scope-store.ts";
import { NO_USAGE } from "../../../src/core/money/report.ts";
import { migratedSqlite } from "../../support/node-sqlite.ts";
import { createScopeHarness } from "../../support/scope-harness.ts";

const DEPLOYMENT = "deployment";
const SERVER = "guild:77";
const CHANNEL = "500";

describe("the owners", () => {
  it("are the variable's, and Discord is not asked", async () => {
    const h = createScopeHarness(["1", "2"]);
    expect([(await h.scope(DEPLOYMENT).copy()).owners, h.calls]).toEqual([["1", "2"], ["deployment: copy"]]);
  });

  it("are requested from Discord once, and stored", async () => {
    const h = createScopeHarness();
    h.discordOwners = ["9"];
    expect((await h.scope(DEPLOYMENT).copy()).owners).toEqual(["9"]);
    h.crash();
    h.discordOwners = ["10"];
    expect((await h.scope(DEPLOYMENT).copy()).owners).toEqual(["9"]);
    expect(h.calls.filter((call) => call === "Discord: owners")).toHaveLength(1);
  });

  it("are given to everyone who asks while Discord is asked, with one request", async () => {
    const h = createScopeHarness();
    h.discordOwners = ["9"];
    const copies = await Promise.all([h.scope(DEPLOYMENT).copy(), h.scope(SERVER).copy(CHANNEL)]);
    expect(copies.map(({ owners }) => owners)).toEqual([["9"], ["9"]]);
    expect(h.calls.filter((call) => call === "Discord: owners")).toHaveLength(1);
  });

  it("are requested again a minute after Discord failed to answer", async () => {
    const h = createScopeHarness();
    await h.scope(DEPLOYMENT).copy();
    expect((await h.scope(DEPLOYMENT).copy()).owners).toEqual([]);
    h.discordOwners = ["9"];
    h.clock.now += 60_000;
    expect((await h.scope(DEPLOYMENT).copy()).owners).toEqual(["9"]);
    expect(h.calls.filter((call) => call === "Discord: owners")).toHaveLength(2);
  });
});

describe("a server", () => {
  it("is known but not claimed when somebody asks there, and is claimed permanently by an owner", async () => {
    const h = createScopeHarness(["1"]);
    expect((await h.scope(SERVER).copy(CHANNEL)).server).toEqual({ isClaimed: false, denied: null });
    await h.scope(DEPLOYMENT).claim("77");
    h.crash();
    expect((await h.scope(SERVER).copy(CHANNEL)).server).toEqual({ isClaimed: true, denied: null });
    const answer = await h.scope(DEPLOYMENT).own({ op: "servers" });
    expect(answer).toEqual({
      op: "servers",
      servers: [{ guildId: "77", since: 1_000_000, isClaimed: true, denied: null, month: NO_USAGE }],
      blocked: [],
      isPaused: false,
    });
  });

  it("is claimed by its own object, which then no longer uses an older copy of the deployment's", async () => {
    const h = createScopeHarness(["1"]);
    expect((await h.scope(SERVER).copy(CHANNEL)).server?.isClaimed).toBe(false);
    await h.scope(SERVER).claim("77");
    expect((await h.scope(SERVER).copy(CHANNEL)).server).toEqual({ isClaimed: true, denied: null });
    expect(h.calls.filter((call) => call.includes("claim"))).toEqual([`${SERVER}: claim 77`, "deployment: claim 77"]);
  });

  it("is claimed when a channel says that it was used before; each channel is asked once, one per minute", async () => {
    const h = createScopeHarness(["1"]);
    h.usedBefore.add("502");
    const probes = () => h.calls.filter((call) => call.startsWith("channel"));
    for (let n = 0; n < 3; n++) await h.scope(SERVER).copy("501");
    await h.scope(SERVER).copy("502");
    expect(probes()).toEqual(["channel 501: used before"]);
    h.clock.now += 60_000;
    await h.scope(SERVER).copy("501");
    expect((await h.scope(SERVER).copy("502")).server).toEqual({ isClaimed: true, denied: null });
    expect(probes()).toEqual(["channel 501: used before", "channel 502: used before"]);
  });

  it("asks at most twenty of its channels whether they were used before", async () => {
    const h = createScopeHarness(["1"]);
    for (let n = 0; n < 22; n++) {
      await h.scope(SERVER).copy(String(500 + n));
      h.clock.now += 60_000;
    }
    expect(h.calls.filter((call) => call.startsWith("channel"))).toHaveLength(20);
  });

  it("stays denied by an owner whatever was used before, until an owner allows it again", async () => {
    const h = createScopeHarness(["1"]);
    h.usedBefore.add(CHANNEL);
    const own = h.scope(DEPLOYMENT).own;
    expect(await own({ op: "deny", guildId: "77", reason: "Too loud." })).toEqual({ op: "changed" });
    expect(await own({ op: "deny", guildId: "77", reason: "Too loud." })).toEqual({ op: "unchanged" });
    expect((await h.scope(SERVER).copy(CHANNEL)).server).toEqual({ isClaimed: false, denied: "Too loud." });
    expect(await own({ op: "allow", guildId: "77" })).toEqual({ op: "changed" });
    h.clock.now += 5000;
    expect((await h.scope(SERVER).copy(CHANNEL)).server).toEqual({ isClaimed: true, denied: null });
  });

  it("is allowed by an owner's first use, once", async () => {
    const own = createScopeHarness(["1"]).scope(DEPLOYMENT).own;
    expect(await own({ op: "allow", guildId: "77" })).toEqual({ op: "changed" });
    expect(await own({ op: "allow", guildId: "77" })).toEqual({ op: "unchanged" });
  });

  it("asks the deployment once in five seconds, and uses its last copy while the deployment is down, also in a new life", async () => {
    const h = createScopeHarness(["1"]);
    await h.scope(DEPLOYMENT).claim("77");
    for (let n = 0; n < 3; n++) await h.scope(SERVER).copy(CHANNEL);
    expect(h.calls.filter((call) => call === "deployment: copy for 77")).toHaveLength(1);
    h.isDown = true;
    h.clock.now += 3_600_000;
    expect((await h.scope(SERVER).copy(CHANNEL)).server?.isClaimed).toBe(true);
    h.crash();
    expect((await h.scope(SERVER).copy(CHANNEL)).server?.isClaimed).toBe(true);
  });

  it("can't decide before it has heard from the deployment", async () => {
    const h = createScopeHarness(["1"]);
    h.isDown = true;
    await expect(h.scope(SERVER).copy(CHANNEL)).rejects.toThrow("down");
  });
});

describe("what an owner decides for everyone", () => {
  it("pause, block and unblock are in the next copy, and repeating them changes nothing", async () => {
    const h = createScopeHarness(["1"]);
    const own = h.scope(DEPLOYMENT).own;
    const said = [];
    for (const request of [
      { op: "pause", isPaused: true },
      { op: "pause", isPaused: true },
      { op: "block", userId: "3" },
      { op: "block", userId: "3" },
    ] as const)
      said.push((await own(request)).op);
    expect(said).toEqual(["changed", "unchanged", "changed", "unchanged"]);
    h.crash();
    const { isPaused, blocked } = await h.scope(SERVER).copy(CHANNEL);
    expect([isPaused, blocked]).toEqual([true, ["3"]]);
    expect([(await own({ op: "unblock", userId: "3" })).op, (await own({ op: "unblock", userId: "3" })).op]).toEqual([
      "changed",
      "unchanged",
    ]);
  });

  it("the list of blocked people is bounded, and says so", async () => {
    const h = createScopeHarness(["1"]);
    const own = h.scope(DEPLOYMENT).own;
    for (let n = 0; n < MAX_BLOCKED; n++) await own({ op: "block", userId: String(10_000 + n) });
    expect(await own({ op: "block", userId: "3" })).toEqual({ op: "full", limit: MAX_BLOCKED });
    expect((await h.scope(DEPLOYMENT).copy()).blocked).toHaveLength(MAX_BLOCKED);
  });

  it("a server is known from the first time that somebody asks about it", async () => {
    const h = createScopeHarness(["1"]);
    await h.scope(DEPLOYMENT).copyFor("1000");
    const answer = await h.scope(DEPLOYMENT).own({ op: "servers" });
    expect(answer).toMatchObject({ op: "servers", servers: [{ guildId: "1000" }] });
  });

  it("unclaimed servers beyond a limit are forgotten, the oldest first; claimed and denied ones never", () => {
    const database = migratedSqlite(openScopeStore);
    const store = openScopeStore(database);
    const server = (n: number) => ({ guildId: String(n), since: n, claimedAt: null, denied: null });
    store.putServer({ ...server(1), claimedAt: 1 });
    store.putServer({ ...server(2), denied: "No." });
    // One statement, because this many servers one by one would take seconds.
    database.sql.exec(
      `INSERT INTO servers WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers LIMIT ?)
       SELECT CAST(n AS TEXT), n, NULL, NULL FROM numbers`,
      MAX_SERVERS,
    );
    expect(store.servers()).toHaveLength(MAX_SERVERS + 2);
    for (const n of [1, 2, 3]) store.putServer(server(1000 + MAX_SERVERS + n));
    expect(store.servers()).toHaveLength(MAX_SERVERS + 2);
    expect(["1", "2", "1002", "1003"].map((guildId) => store.server(guildId) !== null)).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

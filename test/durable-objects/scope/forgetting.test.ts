// Forgetting a person everywhere in a server: which channels are asked, how often, and what survives a death.
import { expect, it } from "vitest";
import { openForgettingStore } from "../../../durable-objects/scope/forgetting-store.ts";
import { openScopeStore } from "../../../durable-objects/scope/scope-store.ts";
import type { TurnReport } from "../../../src/core/money/report.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";

const SERVER = "guild:77";
const NOW = Date.UTC(2030, 5, 15, 12);
const DAY_MS = 86_400_000;

/** Makes a server in which these people had a turn in these channels yesterday. */
async function server(...used: [userId: string, channelId: string][]): Promise<ScopeHarness> {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW - DAY_MS;
  await h.scope(SERVER).report(used.map(([userId, channelId], n) => report(String(n), { userId, channelId })));
  await settle(h);
  h.clock.now = NOW;
  h.calls.length = 0;
  return h;
}
const report = (turnId: string, changes: Partial<TurnReport>): TurnReport => ({
  turnId,
  userId: "10",
  channelId: "500",
  guildId: "77",
  at: NOW - DAY_MS,
  usage: { inputTokens: 1, outputTokens: 0, modelCalls: 1, microUsd: 1 },
  ...changes,
});
const settle = (h: ScopeHarness) => Promise.all(h.detached.splice(0));
const asked = (h: ScopeHarness) => h.calls.filter((call) => call.includes("forget 1")).sort();
/** Runs the server's alarm at its time. Returns whether there was one. */
async function ring(h: ScopeHarness): Promise<boolean> {
  const at = h.alarms.get(SERVER);
  if (at === undefined) return false;
  h.clock.now = Math.max(h.clock.now, at);
  await h.ring(SERVER);
  await settle(h);
  return true;
}

it("reaches every channel in which they had a turn, except the one that has forgotten them already, and nobody else's", async () => {
  const h = await server(["10", "500"], ["10", "501"], ["10", "502"], ["11", "503"]);
  expect(await h.scope(SERVER).forgetPerson("10", "500")).toEqual({ channels: 2, left: 0 });
  expect(asked(h)).toEqual(["channel 501: forget 10", "channel 502: forget 10"]);
  const { user, all } = await h.scope(SERVER).usage("10", "500");
  expect([user.month.turns, all.month.turns]).toEqual([0, 4]);
  expect([await h.scope(SERVER).forgetPerson("10", "500"), asked(h).length, h.alarms.size]).toEqual([
    { channels: 0, left: 0 },
    2,
    0,
  ]);
});

it("reaches a channel in which they only had a personal setting, even after they were forgotten before", async () => {
  const h = await server(["10", "500"]);
  const keeps = () => h.scope(SERVER).person({ op: "keeps", userId: "10", conversation: "504" });
  expect([await keeps(), await keeps()]).toEqual([{ op: "kept" }, { op: "kept" }]);
  expect(await h.scope(SERVER).forgetPerson("10", "500")).toEqual({ channels: 1, left: 0 });
  expect(asked(h)).toEqual(["channel 504: forget 10"]);
  await keeps();
  expect(await h.scope(SERVER).forgetPerson("10", "500")).toEqual({ channels: 1, left: 0 });
  expect(asked(h).length).toBe(2);
});

it("keeps their sums of today, so that no limit is evaded", async () => {
  const h = await server(["10", "500"]);
  await h.scope(SERVER).report([report("today", { at: NOW })]);
  await h.scope(SERVER).forgetPerson("10", "500");
  const { user } = await h.scope(SERVER).usage("10", "500");
  expect([user.today.turns, user.month.turns]).toEqual([1, 1]);
});

it.each([
  [SERVER, "77", "500"],
  ["deployment", null, "500:10"],
])(
  "their sums of today in %s are deleted when the day is over, and nobody else's",
  async (name, guildId, channelId) => {
    const h = createScopeHarness(["1"]);
    h.clock.now = NOW;
    const today = (turnId: string, userId: string, of = channelId) =>
      report(turnId, { userId, at: NOW, guildId, channelId: of });
    await h.scope(name).report([today("1", "10"), today("2", "11", "501:11")]);
    await h.scope(name).forgetPerson("10", channelId);
    const sums = async () => {
      const used = await Promise.all([h.scope(name).usage("10", "500:10"), h.scope(name).usage("11", "501:11")]);
      return used.flatMap(({ user, channel, all }) => [user.month.turns, channel.month.turns, all.month.turns]);
    };
    expect(await sums()).toEqual([1, guildId === null ? 1 : 0, 2, 1, 1, 2]);
    h.crash();
    h.clock.now = h.alarms.get(name) ?? expect.fail("nothing will delete them");
    expect(h.clock.now).toBe(NOW + DAY_MS / 2);
    await h.ring(name);
    expect(await sums()).toEqual([0, 0, 2, 1, 1, 2]);
    expect(h.alarms.size).toBe(0);
  },
);

it("late reports about earlier days are not kept either", async () => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW;
  await h.scope(SERVER).forgetPerson("10", "500");
  await h.scope(SERVER).report([report("late", { endedAt: NOW - 1 }), report("today", { at: NOW + 1 })]);
  await settle(h);
  h.clock.now = NOW + DAY_MS;
  await h.scope(SERVER).report([report("tomorrow", { at: h.clock.now })]);
  expect((await h.scope(SERVER).usage("10", "500")).user.month.turns).toBe(1);
});

it("deletes the earlier sums of their own object, if they brought the bot along, and no other's", async () => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW;
  const places = ["500:10", "500:110", "10", "501:10"];
  const outside = (channelId: string, at: number) => report(`${channelId}${at}`, { channelId, guildId: null, at });
  const reports = [...places.map((one) => outside(one, NOW - DAY_MS)), outside("501:10", NOW)];
  await h.scope("deployment").report(reports);
  await h.scope("deployment").forgetPerson("10", "500:10");
  const sums = places.map(async (one) => (await h.scope("deployment").usage("10", one)).channel.month.turns);
  expect(await Promise.all(sums)).toEqual([0, 1, 1, 1]);
});

it("a channel that can't be reached is retried by the alarm, less and less often, until it has forgotten them", async () => {
  const h = await server(["10", "501"], ["10", "502"]);
  h.closed.add("502");
  expect(await h.scope(SERVER).forgetPerson("10", "500")).toEqual({ channels: 1, left: 1 });
  const tries: number[] = [];
  for (let n = 0; n < 3; n++) {
    h.crash();
    expect(await ring(h)).toBe(true);
    tries.push(h.clock.now - NOW);
  }
  expect(tries).toEqual([10_000, 30_000, 70_000]);
  h.closed.clear();
  await ring(h);
  expect([asked(h), await ring(h)]).toEqual([["channel 501: forget 10", "channel 502: forget 10"], false]);
});

it("reports about other people don't postpone the next try", async () => {
  const h = await server(["10", "501"]);
  h.closed.add("501");
  await h.scope(SERVER).forgetPerson("10", "500");
  h.clock.now += 9000;
  await h.scope(SERVER).report([report("later", { userId: "12" })]);
  await settle(h);
  expect(h.alarms.get(SERVER)).toBe(NOW + 10_000);
});

it.each([SERVER, "deployment"])(
  "the channel of a report that was on its way to %s meanwhile is asked too",
  async (name) => {
    const h = createScopeHarness(["1"]);
    const guildId = name === SERVER ? "77" : null;
    h.clock.now = NOW;
    expect(await h.scope(name).forgetPerson("10", "500")).toEqual({ channels: 0, left: 0 });
    h.clock.now += 60_000;
    const ended = (turnId: string, endedAt: number) => report(turnId, { channelId: turnId, guildId, endedAt });
    await h.scope(name).report([ended("501", NOW - 1), ended("502", NOW + 1), ended("503", NOW - 5000)]);
    await settle(h);
    h.clock.now = h.alarms.get(name) ?? 0;
    await h.ring(name);
    await settle(h);
    expect(asked(h)).toEqual(["channel 501: forget 10", "channel 503: forget 10"]);
    expect((await h.scope(name).forgetPerson("10", "500")).channels).toBe(1);
  },
);

it("someone who used very many channels gets an answer after twenty, and the rest follows", async () => {
  const h = await server(...Array.from({ length: 45 }, (_, n): [string, string] => ["10", String(1000 + n)]));
  expect(await h.scope(SERVER).forgetPerson("10", "500")).toEqual({ channels: 20, left: 25 });
  expect(h.alarms.get(SERVER)).toBe(NOW + 1000);
  for (let n = 0; n < 5 && (await ring(h)); n++);
  expect(new Set(asked(h)).size).toBe(45);
  expect(asked(h)).toHaveLength(45);
});

it("at most twenty channels are asked at the same time, because no alarm comes before their answers", async () => {
  const h = await server(...Array.from({ length: 45 }, (_, n): [string, string] => ["10", String(1000 + n)]));
  const look = () => [asked(h).length, h.alarms.get(SERVER)];
  const answer = h.scope(SERVER).forgetPerson("10", "500");
  const looks = [look()];
  await answer;
  h.clock.now = NOW + 1000;
  await h.ring(SERVER);
  looks.push(look());
  await settle(h);
  expect(looks).toEqual([
    [20, NOW + 1000],
    [40, NOW + 2000],
  ]);
});

it("outside servers the deployment's scope knows where they were, and nothing about servers", async () => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW;
  await h
    .scope("deployment")
    .report([report("a", { guildId: null, channelId: "600" }), report("b", { guildId: "77", channelId: "501" })]);
  expect(await h.scope("deployment").forgetPerson("10", "500")).toEqual({ channels: 1, left: 0 });
  expect(asked(h)).toEqual(["channel 600: forget 10"]);
});

it("remembers the 500 channels that someone used last, and none that they have not used for too long", () => {
  const database = nodeSqlite();
  openScopeStore(database);
  const store = openForgettingStore(database);
  for (let n = 0; n < 502; n++) store.noteUse("10", String(n), n < 2 ? "2030-01-01" : "2030-01-02");
  store.noteUse("11", "5", "2029-01-01");
  store.expire("2030-01-01");
  for (const userId of ["10", "11"]) store.plan(userId, "none", 1);
  expect([store.count("10"), store.count("11"), store.due(1, "10").some(({ channelId }) => channelId === "0")]).toEqual(
    [500, 0, false],
  );
});

it("outside servers also reaches a channel whose turn ended before and is reported after", async () => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW;
  const deployment = h.scope("deployment");
  await deployment.report([report("first", { guildId: null, endedAt: NOW })]);
  await deployment.forgetPerson("10", "500");
  expect(h.alarms.size).toBe(0);
  await deployment.report([report("late", { guildId: null, channelId: "501", endedAt: NOW - 500 })]);
  h.clock.now = h.alarms.get("deployment") ?? expect.fail("nobody will ask the channel");
  await h.ring("deployment");
  await settle(h);
  expect([asked(h), h.alarms.size]).toEqual([["channel 501: forget 10"], 0]);
});

// A bot that was removed from a server: what its scope and its channels keep is deleted after keep_days, and not before.
import { describe, expect, it } from "vitest";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";

const NOW = Date.UTC(2030, 5, 15, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SERVER = "guild:77";
const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };

/** Makes a server in which two channels were used, with a setting and a fact. */
async function server(presence: "here" | "closed" | "missing" | "unknown" = "here") {
  const h = createScopeHarness(["1"]);
  h.presence?.set("77", presence);
  await begin(h);
  await use(h, "500", "501");
  await set(h, "model", "deep");
  await h.scope(SERVER).person({ op: "remember", userId: "10", text: "tea", origin: "person" });
  return h;
}
/** The server is first used an hour ago, and now asked about. */
async function begin(h: ScopeHarness) {
  for (const at of [NOW - HOUR_MS, NOW]) {
    h.clock.now = at;
    await h.scope(SERVER).person({ op: "about", userId: "10", conversation: "5" });
    await settle(h);
  }
}
async function use(h: ScopeHarness, ...channelIds: string[]) {
  const at = h.clock.now;
  const report = (channelId: string) => ({
    turnId: `${channelId} ${at}`,
    userId: "10",
    channelId,
    guildId: "77",
    at,
    usage,
  });
  await h.scope(SERVER).report(channelIds.map(report));
  await settle(h);
}
const set = (h: ScopeHarness, key: string, value: string) =>
  h.scope(SERVER).changeSetting({ interactionId: `${key} ${value}`, key, value, by: "10" });
const settle = async (h: ScopeHarness) => {
  while (h.detached.length > 0) await Promise.all(h.detached.splice(0));
};
const alarmAt = (h: ScopeHarness) => h.alarms.get(SERVER) ?? h.farAlarms.get(SERVER);
/** Runs each alarm of the server's scope in a life of its own, until this many days are over. */
async function live(h: ScopeHarness, days: number) {
  for (let n = 0; n < 60; n++) {
    const at = alarmAt(h);
    if (at === undefined || at > NOW + days * DAY_MS) break;
    h.crash();
    h.clock.now = Math.max(h.clock.now, at);
    await h.ring(SERVER);
    await settle(h);
  }
  h.clock.now = NOW + days * DAY_MS;
}
const told = (h: ScopeHarness) => h.calls.filter((call) => call.includes("left at"));
/** What the scope keeps, read without asking a question, which would count as a use. */
async function kept(h: ScopeHarness) {
  const scope = h.scope(SERVER);
  const { facts } = (await scope.person({ op: "facts", userId: "10" })) as unknown as { facts: unknown[] };
  const { all } = await scope.usage("10", "500");
  return [Object.keys(await scope.settings()).length, (await scope.history()).length, facts.length, all.month.turns];
}
const NOTHING = [0, 0, 0, 0];

it("Discord is asked about a server with the bot an hour after its first use, and once per keep_days", async () => {
  const h = await server();
  expect(h.looks).toEqual(["77"]);
  await use(h, "502");
  await live(h, 100);
  expect([h.looks.length, told(h), (await kept(h)).slice(0, 3)]).toEqual([4, [], [2, 1, 1]]);
});

it("Discord is asked by the alarm, a week later, about a server that nobody used again", async () => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW;
  await set(h, "model", "deep");
  await settle(h);
  await live(h, 7);
  expect(h.looks).toEqual([]);
  await live(h, 8);
  expect(h.looks).toEqual(["77"]);
});

it("its data is deleted, channels first, when keep_days are over since Discord first said that the bot is gone", async () => {
  const h = await server();
  h.presence?.set("77", "missing");
  // Used until the day on which Discord says that the bot is gone.
  await live(h, 30);
  await use(h, "500");
  await live(h, 59.9);
  expect([h.looks.length, told(h), (await kept(h)).slice(0, 3)]).toEqual([2, [], [2, 1, 1]]);
  await live(h, 60);
  const since = NOW + 30 * DAY_MS;
  expect([h.looks.length, told(h)]).toEqual([3, [`channel 500: left at ${since}`, `channel 501: left at ${since}`]]);
  expect(alarmAt(h)).toBeUndefined();
  // The database itself.
  expect(() => h.rows(SERVER)).toThrow("no such table");
  expect(await kept(h)).toEqual(NOTHING);
});

it.each<[string, (h: ScopeHarness) => Promise<unknown>]>([
  ["a setting", (h) => set(h, "model", "deep")],
  ["a fact", (h) => h.scope(SERVER).person({ op: "remember", userId: "10", text: "tea", origin: "person" })],
  ["a wish", (h) => h.scope(SERVER).person({ op: "leave_out", userId: "10", isLeftOut: true })],
  [
    "a note of where somebody keeps something",
    (h) => h.scope(SERVER).person({ op: "keeps", userId: "10", conversation: "5" }),
  ],
  [
    "a remote server",
    (h) =>
      h
        .scope(SERVER)
        .connection({ op: "add", interactionId: "1", serverId: "wiki", by: "10", url: "https://wiki.example/mcp" }),
  ],
])(
  "Discord is also asked about a server in which nobody ever asked anything but which keeps %s, and it is forgotten the same way",
  async (_, keep) => {
    const h = createScopeHarness(["1"]);
    // A check that finds nothing left plans no other.
    await begin(h);
    expect([h.looks.length, alarmAt(h)]).toEqual([1, undefined]);
    await keep(h);
    await settle(h);
    h.presence?.set("77", "closed");
    await live(h, 61);
    expect([h.looks.length, alarmAt(h)]).toEqual([3, undefined]);
    expect(() => h.rows(SERVER)).toThrow("no such table");
  },
);

it("the server's own keep_days count", async () => {
  const h = await server();
  await set(h, "keep_days", "7");
  await live(h, 30);
  h.presence?.set("77", "closed");
  await live(h, 43.9);
  expect(told(h)).toEqual([]);
  await live(h, 44);
  expect([h.looks.length, told(h).length, await kept(h)]).toEqual([4, 2, NOTHING]);
});

it("keep_days that were raised meanwhile count from the day on which the bot was first missing", async () => {
  const h = await server();
  await set(h, "keep_days", "7");
  await live(h, 30);
  h.presence?.set("77", "closed");
  await live(h, 37);
  await set(h, "keep_days", "60");
  await live(h, 44);
  expect([h.looks.length, told(h), (await kept(h)).slice(0, 3)]).toEqual([4, [], [3, 3, 1]]);
});

it("a bot that is added again before the time is over loses nothing", async () => {
  const h = await server();
  h.presence?.set("77", "closed");
  await live(h, 59);
  h.presence?.set("77", "here");
  await live(h, 89);
  h.presence?.set("77", "closed");
  await live(h, 119);
  expect([told(h), (await kept(h)).slice(0, 3)]).toEqual([[], [2, 1, 1]]);
  await live(h, 120);
  expect([h.looks.length, told(h).length]).toEqual([5, 2]);
});

it("a server that only added the commands, where Discord never saw the bot, keeps its data", async () => {
  const h = await server("closed");
  await live(h, 400);
  expect([h.looks.length, told(h), (await kept(h)).slice(0, 3)]).toEqual([14, [], [2, 1, 1]]);
});

it("a server whose people use the bot counts as having it, whatever Discord says", async () => {
  const h = await server();
  h.presence?.set("77", "closed");
  await live(h, 45);
  await use(h, "500");
  await live(h, 89);
  expect([h.looks.length, told(h)]).toEqual([3, []]);
  await live(h, 90);
  expect([h.looks.length, told(h).length, await kept(h)]).toEqual([4, 2, NOTHING]);
});

it("an answer that says nothing, such as an outage, a rate limit or a reset token, deletes nothing: Discord is asked again a week later", async () => {
  const h = await server();
  h.presence?.set("77", "unknown");
  await live(h, 40);
  expect(h.looks.length).toBe(3);
  h.presence?.set("77", "closed");
  await live(h, 73);
  expect(h.looks.length).toBe(4);
  h.presence?.set("77", "unknown");
  await live(h, 100);
  expect([h.looks.length, told(h), (await kept(h)).slice(0, 3)]).toEqual([8, [], [2, 1, 1]]);
  h.presence?.set("77", "closed");
  await live(h, 103);
  expect([h.looks.length, told(h).length, await kept(h)]).toEqual([9, 2, NOTHING]);
});

it("without the bot's token nothing is asked, and data is deleted only by its age", async () => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW;
  h.presence = null;
  await use(h, "500");
  await set(h, "model", "deep");
  await live(h, 500);
  expect([h.looks, told(h), (await kept(h))[0], alarmAt(h)]).toEqual([[], [], 2, undefined]);
});

it("a server that is due is checked once a week while there is no token, and Discord is asked with the next one", async () => {
  const h = await server();
  h.presence = null;
  await live(h, 40);
  expect([h.looks.length, alarmAt(h)]).toEqual([1, NOW + 44 * DAY_MS]);
  h.presence = new Map([["77", "here"]]);
  await live(h, 45);
  expect([h.looks.length, told(h), (await kept(h)).slice(0, 3)]).toEqual([2, [], [2, 1, 1]]);
});

it("Discord is not asked about a server whose sums and people were all deleted by age, and that keeps nothing else", async () => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW;
  await use(h, "500");
  await live(h, 2000);
  expect([h.looks.length, alarmAt(h)]).toEqual([14, undefined]);
});

it("a channel that can't be reached is notified a week later, and until then the scope stays", async () => {
  const h = await server();
  h.presence?.set("77", "closed");
  h.closed.add("501");
  await live(h, 66);
  expect([h.looks.length, told(h).length, (await kept(h)).slice(0, 3)]).toEqual([3, 1, [2, 1, 1]]);
  h.closed.clear();
  await live(h, 67);
  expect([h.looks.length, told(h).length, await kept(h)]).toEqual([4, 2, NOTHING]);
});

it.each<[string, (h: ScopeHarness) => Promise<unknown>, (h: ScopeHarness) => unknown]>([
  [
    "usage that the deployment has not taken",
    (h) => {
      h.isDown = true;
      return use(h, "500");
    },
    (h) => {
      h.isDown = false;
    },
  ],
  [
    "a person whom a channel has still to forget",
    (h) => {
      h.closed.add("501");
      return h.scope(SERVER).forgetPerson("10", "500");
    },
    (h) => h.closed.clear(),
  ],
])("%s comes first", async (_, hold, release) => {
  const h = await server();
  h.presence?.set("77", "closed");
  await live(h, 30);
  await hold(h);
  h.clock.now = NOW + 60 * DAY_MS;
  await h.ring(SERVER);
  await settle(h);
  expect([h.looks.length, (await kept(h))[0]]).toEqual([3, 2]);
  release(h);
  await live(h, 68);
  expect([h.looks.length, await kept(h)]).toEqual([4, NOTHING]);
});

it("a life that ends while it asks is followed by another try a week later", async () => {
  const h = await server();
  h.presence?.set("77", "closed");
  await live(h, 59);
  const { presence } = h;
  h.presence = { get: () => new Promise(() => {}) } as never;
  h.clock.now = alarmAt(h) ?? expect.fail("nobody asks");
  await h.ring(SERVER);
  h.detached = [];
  h.presence = presence;
  await live(h, 66);
  expect([h.looks.length, told(h)]).toEqual([3, []]);
  await live(h, 67);
  expect([h.looks.length, told(h).length, await kept(h)]).toEqual([4, 2, NOTHING]);
});

it("an emptied scope starts from scratch in the same life", async () => {
  const h = await server();
  h.presence?.set("77", "closed");
  await live(h, 60);
  h.presence?.set("77", "here");
  await use(h, "500");
  expect([await kept(h), h.looks.length, alarmAt(h)]).toEqual([[0, 0, 0, 1], 3, NOW + 67 * DAY_MS + HOUR_MS]);
});

it("the deployment's scope asks nothing, and still knows the server and what the owners decided about it", async () => {
  const h = await server();
  await h.scope(SERVER).claim("77");
  await h.scope("deployment").report([{ turnId: "1", userId: "10", channelId: "9", guildId: null, at: NOW, usage }]);
  h.presence?.set("77", "closed");
  await live(h, 60);
  expect([h.looks.length, await kept(h)]).toEqual([3, NOTHING]);
  const said = await h.scope("deployment").own({ op: "servers" });
  expect(said.op === "servers" && said.servers).toMatchObject([{ guildId: "77", isClaimed: true }]);
});

describe("a death at any write", () => {
  /** Runs until this day; an alarm that ends with its life is repeated, and background work is lost. */
  async function survive(h: ScopeHarness, days: number) {
    for (let n = 0; n < 60; n++) {
      const at = alarmAt(h);
      if (at === undefined || at > NOW + days * DAY_MS) break;
      h.crash();
      h.clock.now = Math.max(h.clock.now, at);
      await h.ring(SERVER).catch(() => h.alarms.set(SERVER, h.clock.now));
      while (h.detached.length > 0) await Promise.allSettled(h.detached.splice(0));
    }
    h.crash();
    h.clock.now = NOW + days * DAY_MS;
    left = h.writesToDeath;
    h.writesToDeath = null;
  }
  let left: number | null;
  const writes = Array.from({ length: 30 }, (_, n) => n + 1);

  it.each(writes)("deletes nothing before the time, and everything after it: write %i", async (write) => {
    const h = await server();
    h.presence?.set("77", "closed");
    h.writesToDeath = write;
    await survive(h, 59);
    expect([told(h), (await kept(h)).slice(0, 3)]).toEqual([[], [2, 1, 1]]);
    h.writesToDeath = left;
    await survive(h, 140);
    expect(new Set(told(h).map((call) => call.split(":")[0]))).toEqual(new Set(["channel 500", "channel 501"]));
    expect([await kept(h), alarmAt(h)]).toEqual([NOTHING, undefined]);
  });

  it.each(writes)("keeps everything of a server that has the bot again: write %i", async (write) => {
    const h = await server();
    h.presence?.set("77", "closed");
    h.writesToDeath = write;
    await survive(h, 59);
    h.presence?.set("77", "here");
    h.writesToDeath = left;
    await survive(h, 200);
    expect([told(h), (await kept(h)).slice(0, 3)]).toEqual([[], [2, 1, 1]]);
  });
});

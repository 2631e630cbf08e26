// A channel in which nobody writes any more, but which keeps data that doesn't expire: Discord is asked once per keep_days whether it still
// exists. The data is deleted only if the channel was deleted or the bot removed from the server.
import { expect, it } from "vitest";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { says } from "../../support/turn-script.ts";

const DAY_MS = 86_400_000;
const refused = (status: number, code: number) => () => Response.json({ code, message: "no" }, { status });
const HERE = () => Response.json({ id: "2", type: 0, guild_id: "7" });
const DELETED = refused(404, 10_003);
const CLOSED = refused(403, 50_001);

/** Makes a channel with a memory, in which a question was asked a moment ago. `looks`: after how many days Discord was asked. */
async function place({ name = "2", botToken = "t" as string | null } = {}) {
  const discord = { answer: HERE as () => Response | Promise<Response> };
  const looks: number[] = [];
  const start = 1_000_000;
  const c = createChannelHarness({
    name,
    startsAt: start,
    database: nodeSqlite(),
    discord: () => ({
      async fetch(url) {
        expect(url).toBe(`/channels/${name}`);
        looks.push(Math.round((c.clock.now() - start) / DAY_MS));
        return discord.answer();
      },
      ...{ baseUrl: "", userAgent: "", botToken },
    }),
  });
  await asks(c, "1");
  c.memories().add({ text: "tea", userId: "10", at: 0 });
  /** Runs each alarm at its time, until this many days are over. */
  const live = async (days: number) => {
    const until = start + days * DAY_MS;
    for (let n = 0; n < 60; n++) {
      const at = c.retentionAt() ?? c.alarmAt();
      if (at === null || at > until) break;
      await c.clock.advance(Math.max(0, at - c.clock.now()));
      c.runAlarm();
      await c.clock.advance(0);
    }
    await c.clock.advance(Math.max(0, until - c.clock.now()));
  };
  return { c, discord, looks, live, memories: () => (c.erased() > 0 ? "erased" : c.memories().count()) };
}
async function asks(c: ChannelHarness, id: string) {
  c.submit({ trigger: { ...testRequest(id), botIsHere: true, receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  c.answer(says("yes"));
  await c.clock.advance(5000);
}

it("Discord is asked about an existing channel once per keep_days, and the channel keeps its data", async () => {
  const { looks, live, memories } = await place();
  await live(130);
  expect([looks, memories()]).toEqual([[30, 60, 90, 120], 1]);
});

it("a deleted channel loses its data when keep_days are over since Discord first said so", async () => {
  const { c, discord, looks, live, memories } = await place();
  discord.answer = DELETED;
  await live(59);
  expect([looks, memories()]).toEqual([[30], 1]);
  await live(61);
  expect([looks, memories(), c.alarmAt(), c.retentionAt()]).toEqual([[30, 60], "erased", null, null]);
});

it("the channel's own keep_days count", async () => {
  const { c, discord, looks, live, memories } = await place();
  await c.change({ key: "keep_days", value: "90" });
  discord.answer = DELETED;
  await live(179);
  expect([looks, memories()]).toEqual([[90], 1]);
  await live(181);
  expect([looks, memories()]).toEqual([[90, 180], "erased"]);
});

it.each<[string, () => Response | Promise<Response>]>([
  ["an outage", () => new Response("upstream", { status: 503 })],
  ["no network", () => Promise.reject(new Error("no network"))],
  ["a reset token", refused(401, 0)],
  ["a rate limit", () => Response.json({ retry_after: 1, message: "You are being rate limited." }, { status: 429 })],
  ["a page that a proxy puts in its place", () => new Response("<html>", { status: 404 })],
])(
  "%s says nothing: Discord is asked again a week later, even if it had said that the channel is gone",
  async (_, answer) => {
    const { discord, looks, live, memories } = await place();
    discord.answer = answer;
    await live(40);
    expect([looks, memories()]).toEqual([[30, 37], 1]);
    discord.answer = DELETED;
    await live(50);
    discord.answer = answer;
    await live(90);
    expect([looks, memories()]).toEqual([[30, 37, 44, 74, 81, 88], 1]);
    discord.answer = HERE;
    await live(100);
    expect([looks.slice(6), memories()]).toEqual([[95], 1]);
  },
);

it("a channel that the bot may not see stays: people may use its commands there", async () => {
  const { discord, looks, live, memories } = await place();
  discord.answer = CLOSED;
  await live(100);
  expect([looks, memories()]).toEqual([[30, 60, 90], 1]);
});

it("direct messages stay", async () => {
  const { discord, looks, live, memories } = await place();
  discord.answer = () => Response.json({ id: "2", type: 1 });
  await live(70);
  expect([looks, memories()]).toEqual([[30, 60], 1]);
});

it.each([
  ["without the bot's token", { botToken: null }],
  ["for a visitor, in a place where the bot was never a member,", { name: "2:10" }],
])("%s nothing is asked, nothing is deleted, and nothing wakes the object", async (_, how) => {
  const { c, looks, live, memories } = await place(how);
  await live(40);
  expect([looks, memories(), c.alarmAt(), c.retentionAt()]).toEqual([[], 1, null, null]);
});

it("a question in between restarts the time, and what Discord said about the channel before is forgotten", async () => {
  const { c, discord, looks, live, memories } = await place();
  discord.answer = DELETED;
  await live(31);
  await asks(c, "3");
  discord.answer = HERE;
  await live(62);
  expect([looks, memories(), c.store.lock().refusedAt]).toEqual([[30, 61], 1, undefined]);
});

it("a life that ends while it asks is followed by another check a week later", async () => {
  const { c, discord, looks, live, memories } = await place();
  discord.answer = () => new Promise<Response>(() => {});
  await live(30.5);
  c.crash();
  discord.answer = DELETED;
  await live(36);
  expect([looks, memories()]).toEqual([[30], 1]);
  await live(68);
  expect([looks, memories()]).toEqual([[30, 37, 67], "erased"]);
});

it("a channel that is notified of the removal asks again, and keeps nothing", async () => {
  const { c, discord, looks, live, memories } = await place();
  await live(10);
  discord.answer = CLOSED;
  await c.port.leaveServer(c.clock.now() - 31 * DAY_MS);
  await c.port.leaveServer(c.clock.now() - 31 * DAY_MS);
  await live(10.01);
  expect([looks, memories(), c.alarmAt(), c.retentionAt()]).toEqual([[10], "erased", null, null]);
});

it("a channel that keeps things longer than its server keeps them that long, also if the bot is added again", async () => {
  const { c, discord, looks, live, memories } = await place();
  await c.change({ key: "keep_days", value: "90" });
  await live(60);
  discord.answer = CLOSED;
  await c.port.leaveServer(c.clock.now() - 30 * DAY_MS);
  await live(119);
  expect([looks, memories()]).toEqual([[], 1]);
  discord.answer = HERE;
  await live(130);
  expect([looks, memories(), c.store.lock().refusedAt]).toEqual([[120], 1, undefined]);
});

it("a channel that keeps nothing has no storage after it was notified", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database });
  await c.port.leaveServer(0);
  expect([database.sql.exec("SELECT name FROM sqlite_master").toArray(), c.alarmAt()]).toEqual([[], null]);
});

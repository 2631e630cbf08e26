// What a network, Discord and channels can do to the gateway's object, through the local Gateway's switches. The session's own rules are
// tested in test/gateway; these tests show what the object does with them.
import { describe, expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { connected, GatewayHarness } from "../../support/gateway-harness.ts";

const status = ({ opening }: GatewayHarness) => opening.status();
const connections = ({ discord }: GatewayHarness) => discord.gateway.status().connections;
const gapsBetweenIdentifies = ({ discord }: GatewayHarness) => {
  const at = discord.gateway.log.filter(({ kind, op }) => kind === "in" && op === 2).map((one) => one.at);
  return at.slice(1).map((one, n) => one - (at[n] ?? 0));
};

describe("a connection that can't be made", () => {
  it.each([
    ["the upgrade gets 401", (world: GatewayHarness) => world.wires.upgrades.push(401)],
    ["the upgrade gets 429", (world: GatewayHarness) => world.wires.upgrades.push(429)],
    ["the upgrade gets 502", (world: GatewayHarness) => world.wires.upgrades.push(502)],
    ["the port is closed", (world: GatewayHarness) => world.wires.upgrades.push("refused")],
    ["the upgrade gets no answer", (world: GatewayHarness) => world.wires.upgrades.push("mute")],
    [
      "GET /gateway/bot gets 502",
      (world: GatewayHarness) => world.discord.failNext(1, new Response(null, { status: 502 })),
    ],
    [
      "GET /gateway/bot gets 401 from a proxy",
      (world: GatewayHarness) => {
        const headers = { "Content-Type": "text/html" };
        world.discord.failNext(1, new Response("<html>Unauthorized</html>", { status: 401, headers }));
      },
    ],
    [
      "GET /applications/@me gets 502",
      (world: GatewayHarness) =>
        world.discord.failNext(1, new Response(null, { status: 502 }), ({ path }) =>
          path.endsWith("/applications/@me"),
        ),
    ],
    ["no Hello comes", (world: GatewayHarness) => world.discord.gateway.set({ hello: false })],
  ])("because %s is tried again after a wait, and spends no Identify", async (_, break_) => {
    const world = new GatewayHarness();
    break_(world);
    await world.wake();
    await world.pass(500);
    expect([await status(world), world.counts.identifies]).toEqual(["waiting", 0]);
    await world.pass(15_000);
    world.discord.gateway.set({ hello: true });
    await world.pass(45_000);
    expect([await status(world), world.counts, connections(world).length]).toEqual([
      "connected",
      { identifies: 1, resumes: 0 },
      1,
    ]);
  });

  it("is made even if /applications/@me has nothing: then the text of all messages is not asked for", async () => {
    const world = new GatewayHarness();
    const missing = new Response('{"message":"404: Not Found","code":0}', { status: 404 });
    world.discord.failNext(100, missing, ({ path }) => path.endsWith("/applications/@me"));
    await world.wake();
    await world.pass(2000);
    expect([await status(world), world.counts]).toEqual(["connected", { identifies: 1, resumes: 0 }]);
  });

  it("because READY does not come leaves one connection, with at least five seconds between two Identifies", async () => {
    const world = new GatewayHarness();
    world.discord.gateway.set({ holdReady: true });
    await world.wake();
    await world.pass(120_000);
    expect(connections(world).length).toBeLessThanOrEqual(1);
    world.discord.gateway.set({ holdReady: false });
    await world.pass(90_000);
    expect([await status(world), connections(world).length]).toEqual(["connected", 1]);
    expect(Math.min(...gapsBetweenIdentifies(world))).toBeGreaterThan(5000);
  });

  it("because the token is wrong is tried once", async () => {
    const world = new GatewayHarness({ DISCORD_BOT_TOKEN: "wrong" });
    await world.wake();
    const requests = world.discord.log.length;
    await world.pass(3_600_000);
    await world.wake();
    expect([await status(world), world.discord.log.length, world.alarmAt]).toEqual([
      { refused: "bad_token" },
      requests,
      null,
    ]);
  });
});

describe("a connection that is lost", () => {
  it.each([4004, 4010, 4011, 4012, 4013, 4014])(
    "with %i is not made again, not even after a deploy of the same release",
    async (code) => {
      const world = await connected();
      world.discord.gateway.act({ act: "close", code });
      await world.pass(3_600_000);
      await world.wake();
      expect([await status(world), world.counts, connections(world), world.alarmAt]).toMatchObject([
        { refused: expect.any(String) },
        { identifies: 1, resumes: 0 },
        [],
        null,
      ]);
      expect(world.lines).toContain("Discord refuses the gateway's connection");
      // Another deployment of the same release with the same token is refused too.
      world.version = "two";
      await world.wake();
      await world.pass(10_000);
      await world.wake();
      await world.pass(60_000);
      expect(world.counts.identifies).toBe(1);
    },
  );

  it("because Discord answers no heartbeat is given up after one interval, and resumed", async () => {
    const world = await connected();
    world.discord.gateway.set({ acks: false });
    await world.pass(2 * 41_250);
    world.discord.gateway.set({ acks: true });
    await world.pass(10_000);
    expect([await status(world), world.counts, connections(world).length]).toEqual([
      "connected",
      { identifies: 1, resumes: 1 },
      1,
    ]);
  });

  it("silently (a half-open socket) is aborted a second after it was given up; nothing from it is used after that", async () => {
    const world = await connected();
    const old = world.wires.last;
    old.isFrozen = true;
    const gone: number[] = [];
    for (let n = 0; n < 70 && !old.isOver; n++) {
      await world.pass(1000);
      if (world.wires.last !== old || (await status(world)) !== "connected") gone.push(n);
    }
    expect(old.isOver).toBe(true);
    expect(gone.length).toBeGreaterThan(0);
    old.isFrozen = false;
    old.deliver("message", { data: JSON.stringify({ op: 7, d: null }) });
    old.deliver("close", { code: 4004 });
    await world.pass(10_000);
    expect([await status(world), world.counts.identifies, connections(world).length]).toEqual(["connected", 1, 1]);
  });

  it("by op 7, before Hello or later, is resumed if there is a session", async () => {
    const world = await connected();
    world.discord.gateway.set({ hello: false });
    world.discord.gateway.act({ act: "reconnect" });
    await world.pass(3000);
    world.discord.gateway.act({ act: "reconnect" });
    await world.pass(1000);
    world.discord.gateway.set({ hello: true });
    await world.pass(60_000);
    expect([await status(world), world.counts]).toEqual(["connected", { identifies: 1, resumes: 1 }]);
  });

  it("together with its session reads once what was asked meanwhile", async () => {
    const world = await connected();
    world.ask();
    await world.pass(1000);
    world.heardKeys();
    world.discord.gateway.act({ act: "invalidate", resumable: false });
    await world.pass(500);
    const asked = world.ask();
    await world.pass(60_000);
    const reads = world.discord.log.filter(({ path }) => path.includes(`/channels/${PLACES.general}/messages`));
    expect([world.heardKeys(), reads.length, world.counts.identifies]).toEqual([[`asked:${asked}`], 1, 2]);
  });

  it("reads it even if Discord first says to wait for half a minute", async () => {
    const world = await connected();
    world.ask();
    await world.pass(1000);
    world.heardKeys();
    world.discord.gateway.act({ act: "invalidate", resumable: false });
    await world.pass(500);
    const asked = world.ask();
    const isRead = ({ path }: { path: string }) => path.includes(`/channels/${PLACES.general}/messages`);
    world.discord.failNext(1, Response.json({ retry_after: 30, global: false }, { status: 429 }), isRead);
    await world.pass(60_000);
    expect([world.heardKeys(), world.discord.log.filter(isRead).length]).toEqual([[`asked:${asked}`], 2]);
    const [first = 0, second = 0] = world.discord.log.filter(isRead).map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(30_000);
  });
});

it.each([403, 404])("a channel that Discord closes with %i is read once after a lost session", async (status) => {
  const world = await connected();
  world.ask();
  await world.pass(1000);
  world.discord.gateway.act({ act: "invalidate", resumable: false });
  await world.pass(500);
  const isRead = ({ path }: { path: string }) => path.includes(`/channels/${PLACES.general}/messages`);
  world.discord.failNext(99, new Response("{}", { status }), isRead);
  await world.pass(600_000);
  expect(world.discord.log.filter(isRead)).toHaveLength(1);
});

describe("a frame that can't be read", () => {
  it.each([
    ["broken JSON", "{"],
    ["an unknown opcode", '{"op":99}'],
    ["an unknown event", '{"op":0,"t":"NEW_THING","s":7,"d":{}}'],
    ["a message without its fields", '{"op":0,"t":"MESSAGE_CREATE","s":8,"d":{"id":7}}'],
    ["an invalid number", '{"op":0,"t":"MESSAGE_CREATE","s":null,"d":null}'],
  ])("(%s) changes nothing", async (_, text) => {
    const world = await connected();
    world.discord.gateway.act({ act: "frame", text });
    world.wires.last.deliver("message", { data: new ArrayBuffer(8) });
    const asked = world.ask();
    await world.pass(1000);
    expect([await status(world), world.heardKeys(), world.counts]).toEqual([
      "connected",
      [`asked:${asked}`],
      { identifies: 1, resumes: 0 },
    ]);
  });

  it("because it is too large for the runtime (1009) costs a resume", async () => {
    const world = await connected();
    world.wires.last.end(1009);
    await world.pass(10_000);
    expect([await status(world), world.counts]).toEqual(["connected", { identifies: 1, resumes: 1 }]);
  });
});

describe("a channel", () => {
  it("gets its question later if it fails or hangs, and delays no other", async () => {
    const world = await connected();
    world.moods.push("broken", "broken");
    const late = world.ask();
    await world.pass(100);
    world.moods.push("deaf");
    const later = world.ask({ channel: PLACES.lobby });
    await world.pass(100);
    const soon = world.ask({ channel: PLACES.dmOfTheo });
    await world.pass(100);
    expect(world.heardKeys()).toEqual([`asked:${soon}`]);
    await world.pass(60_000);
    expect(world.heardKeys().sort()).toEqual([`asked:${late}`, `asked:${later}`].sort());
  });

  it("does not delay what is stored as received if it hangs: a new life sends it the question again from the outbox, once", async () => {
    const world = await connected();
    world.moods.push("deaf");
    const asked = world.ask();
    await world.pass(60_000 - 40_000);
    world.die();
    await world.pass(60_000);
    expect([world.heardKeys(), world.counts]).toEqual([[`asked:${asked}`], { identifies: 1, resumes: 1 }]);
  });

  it("gets the question again if its answer was lost", async () => {
    const world = await connected();
    world.moods.push("lost");
    const asked = world.ask();
    await world.pass(1000);
    expect(world.heardKeys()).toEqual([`asked:${asked}`, `asked:${asked}`]);
  });
});

describe("the clock", () => {
  it.each([3_600_000, -3_600_000])("that jumps by %i ms costs at most one resume", async (ms) => {
    const world = await connected();
    await world.pass(70_000);
    world.clock.jump(ms);
    await world.pass(120_000);
    expect([await status(world), world.counts.identifies, connections(world).length]).toEqual(["connected", 1, 1]);
  });
});

it("an interaction is answered by the callback, after the access check", async () => {
  const world = await connected();
  world.discord.configure({ interactionsEndpoint: false });
  const data = { id: "5", name: "gone", type: 1 };
  const seen = world.discord.interact({ kind: "raw", type: 2, data, as: PEOPLE.theo, channel: PLACES.general });
  await world.pass(100);
  expect(await seen).toMatchObject({ ok: true, seen: "message", status: null });
  expect([world.lines, world.discord.violations]).toEqual([[], []]);
});

it("a start by a person forgets what Discord refused; the cron trigger doesn't", async () => {
  const world = await connected();
  world.discord.gateway.act({ act: "close", code: 4014 });
  await world.pass(1000);
  expect(await world.wake()).toEqual({ refused: "disallowed_intents" });
  await world.wake(true);
  await world.pass(20_000);
  expect(await status(world)).toBe("connected");
});

it("a start by a person doesn't wait because of earlier attempts; the cron trigger does", async () => {
  const world = new GatewayHarness();
  world.discord.gateway.set({ refuseUpgrade: 502 });
  await world.wake(true);
  await world.pass(100_000);
  world.discord.gateway.set({ refuseUpgrade: null });
  world.die();
  await world.wake();
  await world.pass(6000);
  expect(await status(world)).toBe("waiting");
  world.die();
  await world.wake(true);
  await world.pass(6000);
  expect([await status(world), world.discord.violations]).toEqual(["connected", []]);
});

it("a start by a person connects within seconds, however often the program was started and ended before", async () => {
  const world = new GatewayHarness();
  const reached: unknown[] = [];
  for (let times = 0; times < 6; times++) {
    await world.wake(true);
    await world.pass(6000);
    reached.push(await status(world));
    await world.opening.end();
    world.die();
  }
  expect([reached, world.discord.violations]).toEqual([Array(6).fill("connected"), []]);
});

it("asks for the text of all messages if the application's switch is on", async () => {
  const world = new GatewayHarness();
  world.discord.configure({ messageContentIntent: true });
  await world.wake();
  await world.pass(1000);
  expect(world.discord.gateway.status().sessions).toMatchObject([{ intents: 4608 + 32_768 }]);
});

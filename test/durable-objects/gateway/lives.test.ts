// The gateway's object over its lives: how it begins, what it writes, and how it recovers from deaths, deploys and errors of its own.
import { describe, expect, it } from "vitest";
import { userAgent } from "../../../src/discord/rest/user-agent.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PLACES } from "../../../src/playground/discord/world.ts";
import { VARIABLES } from "../../support/endpoint-harness.ts";
import { connected, GatewayHarness } from "../../support/gateway-harness.ts";

const INTERVAL_MS = 41_250;
const connections = ({ discord }: GatewayHarness) => discord.gateway.status().connections.length;

describe("the gateway's object", () => {
  it("connects when it is woken, with one Identify however often it is woken", async () => {
    const world = new GatewayHarness();
    expect(await world.opening.status()).toBe("waiting");
    await Promise.all([world.wake(), world.wake(), world.wake()]);
    await world.pass(300_000);
    expect([await world.wake(), world.counts, connections(world)]).toEqual([
      "connected",
      { identifies: 1, resumes: 0 },
      1,
    ]);
  });

  it("writes two rows for each alarm while nothing happens, and has an alarm at least every 45 s", async () => {
    const world = await connected();
    await world.pass(INTERVAL_MS * 2);
    const [before, beats] = [world.rows, world.sent(1)];
    for (let n = 0; n < 20; n++) {
      await world.pass((world.alarmAt ?? 0) - world.clock.now());
      expect((world.alarmAt ?? Number.POSITIVE_INFINITY) - world.clock.now()).toBeLessThanOrEqual(45_000);
    }
    expect(world.sent(1) - beats).toBeGreaterThanOrEqual(20);
    expect(world.rows - before).toBe(40);
    expect(world.counts).toEqual({ identifies: 1, resumes: 0 });
  });

  it("has one timer, however long it runs", async () => {
    const world = await connected();
    for (let n = 0; n < 10; n++) {
      world.ask();
      await world.pass(20_000);
    }
    expect(world.clock.pending()).toBe(1);
  });

  it("sends heartbeats by its timer, because alarms may be late", async () => {
    const world = await connected();
    await world.pass(INTERVAL_MS * 2);
    const beats = world.sent(1);
    world.alarmAt = null;
    await world.clock.advance(INTERVAL_MS);
    expect(world.sent(1) - beats).toBe(1);
  });

  it("writes nothing for messages that are not questions", async () => {
    const world = await connected();
    const before = world.rows;
    for (let n = 0; n < 1000; n++) world.say("just talking");
    await world.pass(100);
    expect([world.rows - before, world.heardKeys()]).toEqual([0, []]);
  });

  it("listens to a thread in which the bot has answered a command, at the cost of one row", async () => {
    const world = new GatewayHarness();
    world.discord.configure({ messageContentIntent: true });
    await world.wake();
    await world.pass(100);
    const channel = PLACES.thread;
    world.say("before", { channel });
    const before = world.rows;
    for (const content of ["An answer", "in two messages"])
      await world.discord.fetch(
        new Request(`${VARIABLES.DISCORD_API_BASE_URL}/channels/${channel}/messages`, {
          method: "POST",
          headers: {
            Authorization: `Bot ${APPLICATION.botToken}`,
            "Content-Type": "application/json",
            "User-Agent": userAgent("1"),
          },
          body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
        }),
      );
    await world.pass(100);
    const rows = world.rows - before;
    const id = world.say("and then?", { channel });
    await world.pass(100);
    expect([rows, world.heardKeys(), world.discord.violations]).toEqual([1, [`asked:${id}`], []]);
  });

  it.each([
    ["before it is connected", 0],
    ["while it is connected", 10_000],
    ["around a heartbeat", INTERVAL_MS],
  ])("that dies %s is reconnected by its alarm alone, and never identifies twice in 5 s", async (_, ms) => {
    const world = new GatewayHarness();
    const identifies: number[] = [];
    void world.wake();
    if (ms > 0) await world.pass(ms);
    world.die();
    const asked = ms > 0 ? world.ask() : null;
    await world.pass(60_000);
    identifies.push(
      ...world.discord.gateway.log.filter(({ kind, op }) => kind === "in" && op === 2).map(({ at }) => at),
    );
    expect([await world.opening.status(), connections(world)]).toEqual(["connected", 1]);
    expect(world.heardKeys()).toEqual(asked ? [`asked:${asked}`] : []);
    expect(identifies).toHaveLength(1);
  });

  it("resumes when an alarm comes a minute late, as after a sleep", async () => {
    const world = await connected();
    await world.pass(50_000);
    world.wires.last.isFrozen = true;
    world.clock.jump(100_000);
    await world.pass(0);
    world.wires.last.isFrozen = false;
    await world.pass(10_000);
    expect([await world.opening.status(), world.counts, connections(world)]).toEqual([
      "connected",
      { identifies: 1, resumes: 1 },
      1,
    ]);
  });

  it("ends the connection for good when the program ends", async () => {
    const world = await connected();
    await world.opening.end();
    await world.pass(100_000);
    const closes = world.discord.gateway.log.filter(({ kind }) => kind === "close");
    expect(closes).toMatchObject([{ code: 1000, by: "application" }]);
    expect([await world.opening.status(), connections(world)]).toEqual(["off", 0]);
  });
});

describe("a deploy", () => {
  it("ends the old life, and the new one resumes", async () => {
    const world = await connected();
    await world.pass(70_000);
    world.version = "two";
    await world.wake();
    const asked = world.ask();
    await world.pass(30_000);
    expect([world.restarts, world.counts, connections(world)]).toEqual([1, { identifies: 1, resumes: 1 }, 1]);
    expect(world.heardKeys()).toEqual([`asked:${asked}`]);
    const closes = world.discord.gateway.log.filter(({ kind }) => kind === "close");
    expect(closes).toMatchObject([{ code: 4000, by: "application" }]);
  });

  it("with the gateway off closes the connection, erases what was stored and leaves no alarm", async () => {
    const world = await connected();
    world.ask();
    await world.pass(1000);
    world.variables.DISCORD_GATEWAY = "off";
    world.version = "two";
    await world.wake();
    await world.pass(60_000);
    expect([await world.wake(), connections(world), world.alarmAt]).toEqual(["off", 0, null]);
    await world.pass(3_600_000);
    expect([world.restarts, world.counts.identifies, world.alarmAt]).toEqual([1, 1, null]);
    world.variables.DISCORD_GATEWAY = "on";
    world.version = "three";
    await world.wake();
    await world.pass(60_000);
    expect([await world.opening.status(), world.counts]).toEqual(["connected", { identifies: 2, resumes: 0 }]);
  });

  it("with the gateway off also erases what was stored at the alarm that an earlier life has set", async () => {
    const world = await connected();
    world.variables.DISCORD_GATEWAY = "off";
    world.die();
    expect(world.alarmAt).not.toBeNull();
    await world.pass(60_000);
    expect([world.counts, connections(world), world.alarmAt]).toEqual([{ identifies: 1, resumes: 0 }, 0, null]);
    world.variables.DISCORD_GATEWAY = "on";
    world.die();
    await world.wake();
    await world.pass(60_000);
    expect([await world.opening.status(), world.counts]).toEqual(["connected", { identifies: 2, resumes: 0 }]);
  });

  it("without the gateway never had any storage", async () => {
    const world = new GatewayHarness({ DISCORD_GATEWAY: "off" });
    expect([await world.wake(), await world.opening.status(), world.rows, world.alarmAt]).toEqual([
      "off",
      "off",
      0,
      null,
    ]);
  });

  it("with a broken configuration is survived: the alarm continues, and connects once the configuration is fixed", async () => {
    const world = await connected();
    world.variables.DISCORD_PUBLIC_KEY = "nonsense";
    world.die();
    await world.pass(600_000);
    await expect(world.opening.status()).rejects.toThrow("DISCORD_PUBLIC_KEY");
    expect(world.alarmAt).not.toBeNull();
    const given = world.lines.filter((line) => line === "the gateway's session was given up").length;
    expect(given).toBeLessThan(15);
    world.variables.DISCORD_PUBLIC_KEY = new GatewayHarness().variables.DISCORD_PUBLIC_KEY ?? "";
    world.die();
    await world.pass(600_000);
    expect(await world.opening.status()).toBe("connected");
  });
});

describe("an error of our own", () => {
  it.each(["INSERT INTO session", "INSERT INTO questions", "SELECT record FROM session"])(
    "in the storage (%s) costs the session, never the alarm: it resumes and loses no question",
    async (statement) => {
      const world = await connected();
      world.brokenStatement = statement;
      if (statement.startsWith("SELECT")) world.die();
      const asked = world.ask();
      if (statement === "INSERT INTO questions") {
        await world.pass(100);
        expect((world.alarmAt ?? 0) - world.clock.now()).toBeLessThanOrEqual(1000);
      }
      await world.pass(90_000);
      expect([await world.opening.status(), connections(world), world.brokenStatement]).toEqual(["connected", 1, null]);
      expect(world.lines).toContain("the gateway's session was given up");
      // The channel recognizes the repetition by its message.
      expect(new Set(world.heardKeys())).toEqual(new Set([`asked:${asked}`]));
      expect(world.counts.identifies).toBe(1);
    },
  );

  it("between a message and its outbox doesn't count as received what is not stored", async () => {
    const world = await connected();
    world.moods.push("deaf");
    const asked = world.ask();
    await world.pass(100);
    // The alarm comes before the timer and finds both still to be written.
    world.clock.jump(15_000);
    world.brokenStatement = "INSERT INTO outbox";
    await world.ring();
    expect(world.brokenStatement).toBeNull();
    await world.pass(90_000);
    expect([world.brokenStatement, world.heardKeys()]).toEqual([null, [`asked:${asked}`]]);
  });

  it("makes the tries less frequent while it repeats", async () => {
    const world = await connected();
    const tries: number[] = [];
    for (let n = 0; n < 600; n++) {
      if (world.brokenStatement === null) tries.push(n);
      world.brokenStatement = "INSERT INTO session";
      await world.pass(1000);
    }
    expect(tries.length).toBeLessThan(15);
    expect(world.alarmAt).not.toBeNull();
  });

  it("is retried later each time until the session is up again, however far the tries get", async () => {
    const world = await connected();
    const waits: number[] = [];
    /** Lets the next write fail, and Discord say something that must be stored. */
    const fail = async () => {
      world.brokenStatement = "INSERT INTO session";
      world.discord.gateway.set({ holdReady: false });
      world.discord.gateway.act({ act: "reconnect" });
      await world.pass(0);
      waits.push((world.alarmAt ?? 0) - world.clock.now());
    };
    await fail();
    for (let time = 0; time < 3; time++) {
      world.discord.gateway.set({ holdReady: true });
      await world.pass(20_000);
      await fail();
    }
    await world.pass(120_000);
    await fail();
    expect(waits).toEqual([1000, 2000, 4000, 8000, 1000]);
  });
});

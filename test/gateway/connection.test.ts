// A connection in which nothing goes wrong: how it begins, its heartbeats, what it stores, and how it ends.
import { describe, expect, it } from "vitest";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import { BOT, GENERAL_URL, INTERVAL_MS } from "../support/gateway-discord.ts";
import { connectedWorld, faultsOf, GatewayWorld, statusOf } from "../support/gateway-life.ts";

const CHANNEL = { place: { kind: "channel", guildId: "700" }, channelId: "600" } as const;
const MENTION: Partial<GatewayMessage> = { mentions: [BOT], text: `<@${BOT}> why?` };

const noise = (world: GatewayWorld) => world.discord.post(CHANNEL);
/** The number of resumes and of identifies. */
const counts = ({ discord }: GatewayWorld) => ({
  resumes: discord.resumes.length,
  identifies: discord.identifies.length,
});

describe("a connection", () => {
  it("asks for the address, opens the socket, identifies after Hello, and is ready", () => {
    const world = connectedWorld();
    const steps = world.actions.map(({ kind }) => kind).filter((kind) => ["look_up", "connect", "send"].includes(kind));
    expect(steps).toEqual(["look_up", "connect", "send"]);
    expect(world.did("connect")[0]?.url).toBe(GENERAL_URL);
    expect(world.did("send")[0]?.send).toEqual({ op: "identify", readsContent: false });
    expect(world.state?.saved.self).toEqual({ userId: BOT, applicationId: "901" });
    expect(faultsOf(world)).toEqual([]);
  });

  it("requests the text of all messages if the application's switch was on before the Identify, and remembers it", () => {
    const world = new GatewayWorld();
    world.readsContent = true;
    world.pass(1000);
    expect(world.did("send")[0]?.send).toEqual({ op: "identify", readsContent: true });
    world.die(0);
    world.pass(60_000);
    expect(world.state?.saved.readsContent).toBe(true);
    expect(counts(world)).toEqual({ resumes: 1, identifies: 1 });
  });

  it("beats first after a random part of the interval, then at each interval, with the stored number", () => {
    const world = connectedWorld();
    for (let n = 0; n < 30; n++) noise(world);
    world.pass(10 * INTERVAL_MS);
    const { heartbeats } = world.discord;
    expect(heartbeats).toHaveLength(10);
    const gaps = heartbeats.slice(1).map(({ at }, n) => at - (heartbeats[n]?.at ?? 0));
    expect(gaps.every((gap) => Math.abs(gap - INTERVAL_MS) < 100)).toBe(true);
    expect(heartbeats.map(({ seq }) => seq)).toEqual([1, ...Array(9).fill(31)]);
    expect(counts(world)).toEqual({ resumes: 0, identifies: 1 });
  });

  it("spreads first heartbeats, so that two lives don't beat at the same time", () => {
    const first = (seed: number) => {
      const world = new GatewayWorld({}, seed);
      world.pass(INTERVAL_MS + 1000);
      return world.discord.heartbeats[0]?.at;
    };
    expect(new Set([1, 2, 3, 4, 5].map(first)).size).toBe(5);
  });

  it("answers Discord's own heartbeat at once, without moving the next one or waiting for its acknowledgement", () => {
    const world = connectedWorld();
    const due = world.state?.live.connection.stage === "ready" && world.state.live.connection.heartbeats;
    world.discord.switches.acknowledges = false;
    world.discord.say({ op: "heartbeat_wanted" });
    world.pass(100);
    expect(world.discord.heartbeats).toHaveLength(1);
    expect(world.state?.live.connection).toMatchObject({ heartbeats: due });
  });

  it("counts a long replay as progress, as long as events come", () => {
    const world = connectedWorld();
    world.discord.switches.mutedReadies = 1;
    world.discord.close(1006);
    world.pass(3000);
    for (let n = 0; n < 4; n++) {
      world.discord.say({ op: "dispatch", seq: 2 + n, event: { kind: "ignored" } });
      world.pass(15_000);
    }
    expect(statusOf(world)).toBe("resuming");
    world.discord.say({ op: "dispatch", seq: 9, event: { kind: "resumed" } });
    world.pass(100);
    expect(statusOf(world)).toBe("connected");
    expect(world.discord.connections).toHaveLength(2);
  });

  it("is no longer resumed by a RESUMED that it did not request", () => {
    const world = new GatewayWorld();
    world.discord.switches.mutedReadies = 1;
    world.pass(1000);
    world.discord.say({ op: "dispatch", seq: 1, event: { kind: "resumed" } });
    world.pass(100);
    expect(statusOf(world)).toBe("waiting");
  });

  it("stores the highest number, whatever comes after it", () => {
    const world = connectedWorld();
    for (let n = 0; n < 20; n++) noise(world);
    world.moods.push("slow");
    const message = { ...noise(world), ...MENTION, id: "77" } as GatewayMessage;
    for (const seq of [3, null]) world.discord.say({ op: "dispatch", seq, event: { kind: "ignored" } });
    world.pass(100);
    world.feed({ kind: "alarm" });
    expect(world.state?.saved.session?.seq).toBe(22);
    world.discord.say({ op: "dispatch", seq: 2, event: { kind: "message", message } });
    world.pass(100);
    world.feed({ kind: "alarm" });
    expect(world.state?.saved.session?.seq).toBe(22);
  });

  it.each([1, 2, 3, 4])("has an alarm within 45 s even if heartbeats are further apart (%i)", (seed) => {
    const world = new GatewayWorld({}, seed);
    world.discord.switches.mutedHellos = 1;
    world.pass(60);
    world.feed({ kind: "frame", generation: 1, frame: { op: "hello", intervalMs: 6_000_000 } });
    world.pass(1000);
    expect(statusOf(world)).toBe("connected");
    expect((world.disk.alarmAt ?? Number.POSITIVE_INFINITY) - world.time.now).toBeLessThanOrEqual(45_000);
  });

  it("stays below Discord's send limit, however often it is asked for heartbeats", () => {
    const world = connectedWorld();
    for (let n = 0; n < 500; n++) world.discord.say({ op: "heartbeat_wanted" });
    world.pass(5000);
    expect(world.discord.heartbeats.length).toBeLessThanOrEqual(60);
    world.pass(120_000);
    expect(statusOf(world)).toBe("connected");
  });

  it("writes at most two rows per alarm, however many events arrive that are not questions", () => {
    const world = connectedWorld();
    world.pass(INTERVAL_MS);
    const [rows, alarms] = [world.rows, world.did("save").length];
    for (let n = 0; n < 5000; n++) {
      noise(world);
      if (n % 50 === 0) world.pass(3000);
    }
    expect(world.did("save").length - alarms).toBeLessThanOrEqual(9);
    expect(world.rows - rows).toBe(2 * (world.did("save").length - alarms));
  });

  it("ends its session at the end of the program, and says nothing more", () => {
    const world = connectedWorld();
    world.feed({ kind: "end" });
    const done = world.actions.length;
    expect(world.did("close")).toEqual([{ kind: "close", generation: 1, code: 1000 }]);
    world.pass(600_000);
    expect(world.actions).toHaveLength(done);
    expect(statusOf(world)).toBe("off");
  });
});

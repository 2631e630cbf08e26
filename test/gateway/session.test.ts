// The faults of Discord and of the network, one by one: what the session does about each, and when.
import { describe, expect, it } from "vitest";
import { readGatewayStatus } from "../../src/gateway/gateway-status.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import { stepGateway } from "../../src/gateway/session.ts";
import { BOT, GENERAL_URL, INTERVAL_MS } from "../support/gateway-discord.ts";
import { GatewayWorld } from "../support/gateway-life.ts";

const CHANNEL = { place: { kind: "channel", guildId: "700" }, channelId: "600" } as const;
const MENTION: Partial<GatewayMessage> = { mentions: [BOT], text: `<@${BOT}> why?` };

/** A world that is connected. */
function connected(more: ConstructorParameters<typeof GatewayWorld>[0] = {}): GatewayWorld {
  const world = new GatewayWorld(more);
  world.pass(1000);
  expect(status(world)).toBe("connected");
  return world;
}
const status = ({ state }: GatewayWorld) => state && readGatewayStatus(state);
const ask = (world: GatewayWorld) => world.discord.post({ ...CHANNEL, ...MENTION }).id;
const noise = (world: GatewayWorld) => world.discord.post(CHANNEL);
const lines = (world: GatewayWorld) => world.did("log").map(({ line }) => line);
const faults = (world: GatewayWorld) => [...world.violations, ...world.discord.violations];
/** The number of resumes and identifies. */
const counts = ({ discord }: GatewayWorld) => ({
  resumes: discord.resumes.length,
  identifies: discord.identifies.length,
});

describe("a connection", () => {
  it("asks for the address, opens the socket, identifies after Hello, and is ready", () => {
    const world = connected();
    const steps = world.actions.map(({ kind }) => kind).filter((kind) => ["look_up", "connect", "send"].includes(kind));
    expect(steps).toEqual(["look_up", "connect", "send"]);
    expect(world.did("connect")[0]?.url).toBe(GENERAL_URL);
    expect(world.did("send")[0]?.send).toEqual({ op: "identify", readsContent: false });
    expect(world.state?.saved.self).toEqual({ userId: BOT, applicationId: "901" });
    expect(faults(world)).toEqual([]);
  });

  it("beats first after a random part of the interval, then at each, with the stored number", () => {
    const world = connected();
    for (let n = 0; n < 30; n++) noise(world);
    world.pass(10 * INTERVAL_MS);
    const { heartbeats } = world.discord;
    expect(heartbeats).toHaveLength(10);
    const gaps = heartbeats.slice(1).map(({ at }, n) => at - (heartbeats[n]?.at ?? 0));
    expect(gaps.every((gap) => Math.abs(gap - INTERVAL_MS) < 100)).toBe(true);
    expect(heartbeats.map(({ seq }) => seq)).toEqual([1, ...Array(9).fill(31)]);
    expect(counts(world)).toEqual({ resumes: 0, identifies: 1 });
  });

  it("spreads first heartbeats: two lives don't beat at the same time", () => {
    const first = (seed: number) => {
      const world = new GatewayWorld({}, seed);
      world.pass(INTERVAL_MS + 1000);
      return world.discord.heartbeats[0]?.at;
    };
    expect(new Set([1, 2, 3, 4, 5].map(first)).size).toBe(5);
  });

  it("answers Discord's own heartbeat at once, without moving the next one or waiting for its acknowledgement", () => {
    const world = connected();
    const due = world.state?.live.connection.stage === "ready" && world.state.live.connection.heartbeats;
    world.discord.switches.acknowledges = false;
    world.discord.say({ op: "heartbeat_wanted" });
    world.pass(100);
    expect(world.discord.heartbeats).toHaveLength(1);
    expect(world.state?.live.connection).toMatchObject({ heartbeats: due });
  });

  it("stays below Discord's limit of sends, however often it is asked for heartbeats", () => {
    const world = connected();
    for (let n = 0; n < 500; n++) world.discord.say({ op: "heartbeat_wanted" });
    world.pass(5000);
    expect(world.discord.heartbeats.length).toBeLessThanOrEqual(60);
    world.pass(120_000);
    expect(status(world)).toBe("connected");
  });

  it("writes at most two rows per alarm, however many events there are that are no questions", () => {
    const world = connected();
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
    const world = connected();
    world.feed({ kind: "end" });
    const done = world.actions.length;
    expect(world.did("close")).toEqual([{ kind: "close", generation: 1, code: 1000 }]);
    world.pass(600_000);
    expect(world.actions).toHaveLength(done);
    expect(status(world)).toBe("off");
  });
});

describe("a fault", () => {
  // Each ends in a connection again, with these resumes and identifies (the first one included), and loses no question.
  it.each<[string, (world: GatewayWorld) => void, { resumes: number; identifies: number }]>([
    [
      "acknowledgements that don't come",
      ({ discord }) => {
        discord.switches.acknowledges = false;
      },
      { resumes: 1, identifies: 1 },
    ],
    ["a half-open socket", ({ discord }) => discord.freeze(), { resumes: 1, identifies: 1 }],
    ["a lost connection", ({ discord }) => discord.close(1006), { resumes: 1, identifies: 1 }],
    ["close 1001", ({ discord }) => discord.close(1001), { resumes: 1, identifies: 1 }],
    ["close 4000", ({ discord }) => discord.close(4000), { resumes: 1, identifies: 1 }],
    ["close 4002", ({ discord }) => discord.close(4002), { resumes: 1, identifies: 1 }],
    ["close 1009 for a frame that is too large", ({ discord }) => discord.close(1009), { resumes: 1, identifies: 1 }],
    ["close 1000", ({ discord }) => discord.close(1000), { resumes: 0, identifies: 2 }],
    ["close 4003", ({ discord }) => discord.close(4003), { resumes: 0, identifies: 2 }],
    ["close 4007", ({ discord }) => discord.close(4007), { resumes: 0, identifies: 2 }],
    ["close 4008", ({ discord }) => discord.close(4008), { resumes: 0, identifies: 2 }],
    ["close 4009", ({ discord }) => discord.close(4009), { resumes: 0, identifies: 2 }],
    ["op 7", ({ discord }) => discord.say({ op: "reconnect" }), { resumes: 1, identifies: 1 }],
    [
      "op 9 that allows a resume",
      ({ discord }) => discord.say({ op: "invalid_session", mayResume: true }),
      { resumes: 1, identifies: 1 },
    ],
    [
      "op 9 that allows none",
      ({ discord }) => discord.say({ op: "invalid_session", mayResume: false }),
      { resumes: 0, identifies: 2 },
    ],
    [
      "a session that is gone",
      ({ discord }) => {
        discord.forgetSessions();
        discord.close(1006);
      },
      { resumes: 1, identifies: 2 },
    ],
    [
      "no Hello",
      ({ discord }) => {
        discord.switches.mutedHellos = 1;
        discord.close(1006);
      },
      { resumes: 1, identifies: 1 },
    ],
    [
      "a refused upgrade",
      ({ discord }) => {
        discord.switches.refusedUpgrades = 2;
        discord.close(1006);
      },
      { resumes: 1, identifies: 1 },
    ],
    [
      "a resume address that is gone",
      ({ discord }) => {
        discord.switches.refusedUpgrades = 3;
        discord.close(1006);
      },
      { resumes: 1, identifies: 1 },
    ],
    [
      "an address that can't be had",
      ({ discord }) => {
        discord.switches.failedLookUps = 3;
        discord.close(1000);
      },
      { resumes: 0, identifies: 2 },
    ],
    ["nonsense", ({ discord }) => discord.say({ op: "unreadable", why: "no JSON" }), { resumes: 0, identifies: 1 }],
    [
      "an event without a number",
      ({ discord }) => discord.say({ op: "dispatch", seq: null, event: { kind: "ignored" } }),
      { resumes: 0, identifies: 1 },
    ],
    [
      "an old number",
      ({ discord }) => discord.say({ op: "dispatch", seq: 0, event: { kind: "ignored" } }),
      { resumes: 0, identifies: 1 },
    ],
    ["a second Hello", ({ discord }) => discord.say({ op: "hello", intervalMs: 1 }), { resumes: 0, identifies: 1 }],
    [
      "a second READY",
      ({ discord }) =>
        discord.say({
          op: "dispatch",
          seq: 1,
          event: { kind: "ready", sessionId: "x", resumeUrl: "y", userId: "1", applicationId: "2" },
        }),
      { resumes: 0, identifies: 1 },
    ],
    ["a death", (world) => world.die(0), { resumes: 1, identifies: 1 }],
    ["a death of 40 s", (world) => world.die(40_000), { resumes: 1, identifies: 1 }],
    [
      "a clock that jumps ahead by an hour",
      (world) => {
        world.skewMs = 3_600_000;
      },
      { resumes: 1, identifies: 1 },
    ],
    [
      "a clock that is set back by an hour",
      (world) => {
        world.skewMs = -3_600_000;
      },
      { resumes: 1, identifies: 1 },
    ],
  ])("%s", (_name, cause, wanted) => {
    const world = connected();
    const before = ask(world);
    world.pass(70_000);
    cause(world);
    const during = ask(world);
    world.pass(70_000);
    world.discord.switches.acknowledges = true;
    world.pass(180_000);
    const after = ask(world);
    world.pass(1000);
    expect(status(world)).toBe("connected");
    expect(faults(world)).toEqual([]);
    expect(world.taken).toEqual([before, during, after].map((id) => `asked:${id}`));
    expect(counts(world)).toEqual(wanted);
  });

  it.each([
    [4004, "bad_token"],
    [4010, "bad_shard"],
    [4011, "sharding_required"],
    [4012, "bad_version"],
    [4013, "bad_intents"],
    [4014, "disallowed_intents"],
  ])("%i ends all attempts until the configuration changes, also those of later lives", (code, reason) => {
    const world = connected();
    world.discord.close(code);
    world.pass(100);
    expect(world.did("refuse")).toEqual([{ kind: "refuse", reason }]);
    const connections = world.discord.connections.length;
    world.pass(3_600_000);
    world.die(0);
    world.pass(3_600_000);
    expect(status(world)).toEqual({ refused: reason });
    expect(world.discord.connections).toHaveLength(connections);
    expect(world.disk.alarmAt).toBeNull();
    world.program = { ...world.program, configHash: "another" };
    world.caller = world.program;
    world.die(0);
    world.pass(310_000);
    expect(status(world)).toBe("connected");
    expect(counts(world)).toEqual({ resumes: 0, identifies: 2 });
  });

  it("is refused by a 401 for the address: Discord doesn't know the token", () => {
    const world = new GatewayWorld();
    world.feed({ kind: "wake", caller: null });
    world.feed({ kind: "not_found", generation: 1, status: 401, retryAfterMs: null });
    expect(status(world)).toEqual({ refused: "bad_token" });
  });

  it("waits as long as a 429 for the address says", () => {
    const world = new GatewayWorld();
    world.feed({ kind: "wake", caller: null });
    world.feed({ kind: "not_found", generation: 1, status: 429, retryAfterMs: 90_000 });
    world.pass(89_000);
    expect(world.did("look_up")).toHaveLength(1);
    world.pass(2000);
    expect(world.did("look_up")).toHaveLength(2);
  });

  it("gives a session up after three resumes without an answer, and reads the channels once", () => {
    const world = connected();
    ask(world);
    world.pass(1000);
    world.discord.switches.mutedReadies = 3;
    world.discord.close(1006);
    world.pass(5000);
    const missed = ask(world);
    world.pass(120_000);
    expect(counts(world)).toEqual({ resumes: 3, identifies: 2 });
    expect(world.did("read").map(({ channelId }) => channelId)).toEqual(["600"]);
    expect(world.taken).toContain(`asked:${missed}`);
    expect(faults(world)).toEqual([]);
  });

  it("spends no Identify before Hello", () => {
    const world = new GatewayWorld();
    world.discord.switches.mutedHellos = 3;
    world.pass(30_000);
    expect(world.state?.saved.lastIdentifyAt).toBeNull();
    expect(lines(world)).toContain("the gateway did not answer in time");
  });

  it("waits longer after each failed attempt, up to four minutes, and begins anew only after a minute of health", () => {
    const world = new GatewayWorld();
    world.discord.switches.failedLookUps = 99;
    const times: number[] = [];
    for (let n = 0; n < 1600; n++) {
      const before = world.did("look_up").length;
      world.pass(1000);
      if (world.did("look_up").length > before) times.push(n);
    }
    const gaps = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    const doubled = [2, 4, 8, 16, 32, 64, 128, 240, 240, 240];
    for (const [n, gap] of gaps.slice(0, doubled.length).entries())
      expect(Math.abs(gap - (doubled[n] ?? 0))).toBeLessThanOrEqual((doubled[n] ?? 0) * 0.2 + 1);
    world.discord.switches.failedLookUps = 0;
    world.pass(250_000);
    expect(status(world)).toBe("connected");
  });

  it("ignores what an older socket still reports", () => {
    const world = connected();
    world.discord.close(1006);
    world.pass(3000);
    expect(status(world)).toBe("connected");
    const before = world.actions.length;
    const message = { ...world.discord.post({ ...CHANNEL, ...MENTION }), id: "77" };
    world.pass(100);
    const after = world.actions.length;
    expect(after).toBeGreaterThan(before);
    for (const frame of [
      { op: "reconnect" },
      { op: "dispatch", seq: 99, event: { kind: "message", message } },
    ] as const)
      world.feed({ kind: "frame", generation: 1, frame });
    world.feed({ kind: "closed", generation: 1, code: 4004 });
    world.feed({ kind: "failed", generation: 1, status: 500 });
    world.feed({ kind: "found", generation: 1, url: "wss://x", remaining: 1, resetAfterMs: 1 });
    expect(world.actions).toHaveLength(after);
    expect(status(world)).toBe("connected");
  });

  it("never throws, whatever comes in whatever state", () => {
    const inputs = [
      { kind: "wake", caller: { version: "9", configHash: "" } },
      { kind: "closed", generation: 0, code: Number.NaN },
      { kind: "forwarded", key: "asked:1", answerTo: null },
      { kind: "forward_failed", key: "asked:1" },
      { kind: "role", guildId: "1", roleId: null },
      { kind: "role_failed", guildId: "1" },
      { kind: "read", generation: 1, channelId: "1", messages: [], isLast: true },
      { kind: "read_failed", generation: 1, channelId: "1" },
      { kind: "end" },
    ] as const;
    const { state } = connected();
    for (const input of inputs) expect(() => state && stepGateway(state, input, 0)).not.toThrow();
  });
});

// The faults of Discord and of the network, one by one: what the session does about each, and when.
import { describe, expect, it } from "vitest";
import type { GatewayState } from "../../src/gateway/gateway-state.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import { stepGateway } from "../../src/gateway/session.ts";
import { BOT, GENERAL_URL, INTERVAL_MS } from "../support/gateway-discord.ts";
import { connectedWorld, faultsOf, GatewayWorld, statusOf } from "../support/gateway-life.ts";

const CHANNEL = { place: { kind: "channel", guildId: "700" }, channelId: "600" } as const;
const MENTION: Partial<GatewayMessage> = { mentions: [BOT], text: `<@${BOT}> why?` };

const ask = (world: GatewayWorld) => world.discord.post({ ...CHANNEL, ...MENTION }).id;
const noise = (world: GatewayWorld) => world.discord.post(CHANNEL);
const lines = (world: GatewayWorld) => world.did("log").map(({ line }) => line);
/** The number of resumes and of identifies. */
const counts = ({ discord }: GatewayWorld) => ({
  resumes: discord.resumes.length,
  identifies: discord.identifies.length,
});

describe("a fault", () => {
  // Each ends connected again, with these resumes and identifies (including the first one), and loses no question.
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
    const world = connectedWorld();
    const before = ask(world);
    world.pass(70_000);
    cause(world);
    const during = ask(world);
    world.pass(70_000);
    world.discord.switches.acknowledges = true;
    world.pass(180_000);
    const after = ask(world);
    world.pass(1000);
    expect(statusOf(world)).toBe("connected");
    expect(faultsOf(world)).toEqual([]);
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
  ])("%i ends all attempts until the configuration changes, including those of later lives", (code, reason) => {
    const world = connectedWorld();
    world.discord.close(code);
    world.pass(100);
    expect(world.did("log").filter(({ level }) => level === "error")).toMatchObject([{ detail: { reason } }]);
    const connections = world.discord.connections.length;
    world.pass(3_600_000);
    world.die(0);
    world.pass(3_600_000);
    expect(statusOf(world)).toEqual({ refused: reason });
    expect(world.discord.connections).toHaveLength(connections);
    expect(world.disk.alarmAt).toBeNull();
    world.program = { ...world.program, configHash: "another" };
    world.caller = world.program;
    world.die(0);
    world.pass(310_000);
    expect(statusOf(world)).toBe("connected");
    expect(counts(world)).toEqual({ resumes: 0, identifies: 2 });
  });

  it("is detected after one heartbeat without acknowledgement, even if events come", () => {
    const world = connectedWorld();
    world.pass(60_000);
    world.discord.switches.acknowledges = false;
    for (let n = 0; n < 17; n++) {
      noise(world);
      world.pass(5000);
    }
    expect(lines(world)).toContain("the gateway acknowledged no heartbeat");
    expect(world.did("close")).toHaveLength(1);
  });

  it("is detected after one and a half intervals of silence", () => {
    const world = connectedWorld();
    while (world.discord.heartbeats.length < 2) world.pass(1000);
    world.discord.freeze();
    world.pass(1.5 * INTERVAL_MS + 1000);
    expect(lines(world)).toContain("the gateway is silent");
  });

  it("tries the general address after three attempts at the session's own", () => {
    const world = connectedWorld();
    world.pass(90_000);
    world.discord.switches.refusedUpgrades = 3;
    // Too late for this session, which has the intents that it began with.
    world.readsContent = true;
    world.discord.close(1006);
    world.pass(60_000);
    expect(world.state?.saved.readsContent).toBe(false);
    const urls = world.did("connect").map(({ url }) => url);
    expect(urls).toEqual([GENERAL_URL, ...Array(3).fill("wss://resume.test"), GENERAL_URL]);
    expect(world.discord.resumes).toHaveLength(1);
  });

  it("resumes as often as the connection is lost, and never identifies because of it", () => {
    const world = connectedWorld();
    for (let n = 0; n < 6; n++) {
      world.discord.close(1006);
      world.pass(100_000);
    }
    expect(counts(world)).toEqual({ resumes: 6, identifies: 1 });
  });

  it("makes the wait longer and longer if it comes right after each connection", () => {
    const world = connectedWorld();
    for (let n = 0; n < 600; n++) {
      if (statusOf(world) === "connected") world.discord.close(1006);
      world.pass(1000);
    }
    expect(world.discord.resumes.length).toBeLessThan(12);
  });

  it("of the clock, set back, holds up neither heartbeats nor an Identify", () => {
    const world = connectedWorld();
    world.skewMs = -3_600_000;
    world.pass(100_000);
    expect(world.discord.heartbeats.length).toBeGreaterThan(1);
    expect(lines(world)).toContain("the clock was set back");
    world.skewMs = -7_200_000;
    world.pass(100_000);
    world.discord.close(1000);
    world.pass(30_000);
    expect(statusOf(world)).toBe("connected");
    expect(faultsOf(world)).toEqual([]);
  });

  it("is final if the address answers with 401, because Discord doesn't know the token", () => {
    const world = new GatewayWorld();
    world.feed({ kind: "wake", caller: null });
    world.feed({ kind: "not_found", generation: 1, status: 401, retryAfterMs: null });
    expect(statusOf(world)).toEqual({ refused: "bad_token" });
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

  it("gives up a session after three resumes without an answer, and reads the channels once", () => {
    const world = connectedWorld();
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
    expect(faultsOf(world)).toEqual([]);
  });

  it("spends no Identify before Hello", () => {
    const world = new GatewayWorld();
    world.discord.switches.mutedHellos = 3;
    world.pass(30_000);
    expect(world.state?.saved.lastIdentifyAt).toBeNull();
    expect(lines(world)).toContain("the gateway did not answer in time");
  });

  it("waits longer after each failed attempt, up to four minutes, and starts over only after a healthy minute", () => {
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
    expect(statusOf(world)).toBe("connected");
  });

  it("ignores what an older socket still reports", () => {
    const world = connectedWorld();
    world.discord.close(1006);
    world.pass(3000);
    expect(statusOf(world)).toBe("connected");
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
    world.feed({ kind: "found", generation: 1, url: "wss://x", remaining: 1, resetAfterMs: 1, readsContent: false });
    expect(world.actions).toHaveLength(after);
    expect(statusOf(world)).toBe("connected");
  });

  it("never throws, whatever arrives while it connects, is connected or has ended", () => {
    const inputs = [
      { kind: "wake", caller: { version: "9", configHash: "" } },
      { kind: "closed", generation: 0, code: Number.NaN },
      { kind: "forwarded", key: "asked:1", answerTo: null },
      { kind: "forward_failed", key: "asked:1" },
      { kind: "role", guildId: "1", roleId: null },
      { kind: "role_failed", guildId: "1" },
      { kind: "read", generation: 1, channelId: "1", messages: [], isLast: true },
      { kind: "read_failed", generation: 1, channelId: "1", retryAfterMs: 0 },
      { kind: "end" },
    ] as const;
    const opening = new GatewayWorld();
    opening.discord.switches.mutedHellos = 1;
    opening.pass(1000);
    const ended = connectedWorld();
    ended.feed({ kind: "end" });
    for (const { state } of [opening, connectedWorld(), ended])
      for (const input of inputs) expect(() => stepGateway(state as GatewayState, input, 0)).not.toThrow();
  });
});

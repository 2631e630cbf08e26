// What outlives the object that keeps the gateway: deploys and rollbacks, deaths, the budget of identifies, and rows of other versions.
import { describe, expect, it } from "vitest";
import { beginGateway, emptySaved, type SavedState } from "../../src/gateway/gateway-state.ts";
import { stepGateway } from "../../src/gateway/session.ts";
import { faultsOf, GatewayWorld, PROGRAM, statusOf } from "../support/gateway-life.ts";

const HOUR_MS = 3_600_000;
const OLD = PROGRAM;
const NEW = { ...PROGRAM, version: "2" };

function connected(): GatewayWorld {
  const world = new GatewayWorld();
  world.pass(90_000);
  expect(statusOf(world)).toBe("connected");
  return world;
}
const kindsAfter = (world: GatewayWorld, act: () => void) => {
  const before = world.actions.length;
  act();
  return world.actions.slice(before).map((action) => (action.kind === "close" ? `close ${action.code}` : action.kind));
};

describe("a caller of another version", () => {
  it("makes the life save, close with 4000 and restart, and the new version resumes within seconds", () => {
    const world = connected();
    const done = kindsAfter(world, () => world.feed({ kind: "wake", caller: NEW }));
    expect(done).toEqual(["save", "log", "close 4000", "timer", "restart"]);
    world.program = world.caller = NEW;
    world.pass(2500);
    expect(statusOf(world)).toBe("connected");
    expect(world.discord.resumes).toHaveLength(1);
    expect(world.discord.identifies).toHaveLength(1);
    expect(faultsOf(world)).toEqual([]);
  });

  it("keeps an old version from connecting again, however often it is started", () => {
    const world = connected();
    world.caller = NEW;
    world.feed({ kind: "wake", caller: NEW });
    const sockets = world.discord.connections.length;
    world.pass(HOUR_MS);
    expect(world.discord.connections).toHaveLength(sockets);
    expect(statusOf(world)).not.toBe("connected");
    world.program = NEW;
    world.die(0);
    world.pass(301_000);
    expect(statusOf(world)).toBe("connected");
  });

  it("lets a version come back after a rollback", () => {
    const world = connected();
    world.feed({ kind: "wake", caller: NEW });
    world.program = world.caller = NEW;
    world.pass(5000);
    world.feed({ kind: "wake", caller: OLD });
    world.program = world.caller = OLD;
    world.pass(5000);
    expect(statusOf(world)).toBe("connected");
    expect(faultsOf(world)).toEqual([]);
  });

  it("lets a version come back that was replaced by one that never ran", () => {
    const world = connected();
    world.feed({ kind: "wake", caller: NEW });
    world.pass(5000);
    expect(statusOf(world)).not.toBe("connected");
    world.feed({ kind: "wake", caller: OLD });
    world.pass(5000);
    expect(statusOf(world)).toBe("connected");
  });

  it("may have another token, or have the gateway off: then nothing connects", () => {
    const world = connected();
    const off = { ...PROGRAM, configHash: "off", on: false };
    world.feed({ kind: "wake", caller: off });
    world.program = world.caller = off;
    world.pass(HOUR_MS);
    expect(statusOf(world)).toBe("off");
    expect(world.discord.current).toBeUndefined();
    expect(world.disk.alarmAt).toBeNull();
  });
});

describe("a call of the same version", () => {
  it("does nothing, so it may come at any time", () => {
    const world = connected();
    expect(kindsAfter(world, () => world.feed({ kind: "wake", caller: OLD }))).toEqual([]);
  });

  it("sets the alarm again if it was lost", () => {
    const world = connected();
    world.disk.alarmAt = null;
    world.feed({ kind: "alarm" });
    const { state } = world;
    if (!state) throw new Error("no life");
    const late = { ...state, live: { ...state.live, alarmAt: world.time.now - 60_000 } };
    const { actions } = stepGateway(late, { kind: "wake", caller: OLD }, world.time.now);
    expect(actions.map(({ kind }) => kind)).toContain("alarm");
  });
});

describe("a death", () => {
  it("in a healthy connection costs no wait: the next life resumes at once", () => {
    const world = connected();
    world.pass(60_000);
    world.die(0);
    world.feed({ kind: "alarm" });
    expect(world.did("connect")).toHaveLength(2);
  });

  it("right after connecting costs a longer wait each time", () => {
    const world = connected();
    for (let n = 0; n < 8; n++) {
      world.die(0);
      world.feed({ kind: "alarm" });
      world.pass(1000);
    }
    expect(world.did("connect").length).toBeLessThan(6);
    expect(faultsOf(world)).toEqual([]);
  });

  it.each([
    ["a death", (world: GatewayWorld) => world.die(0)],
    ["a loss", (world: GatewayWorld) => world.discord.close(1006)],
  ])("or a loss soon after an outage doesn't cost as long a wait: %s", (_what, end) => {
    const world = connected();
    world.discord.switches.refusedUpgrades = 7;
    world.discord.close(1006);
    for (let waited = 0; waited < 600 && world.discord.switches.refusedUpgrades > 0; waited++) world.pass(1000);
    for (let waited = 0; waited < 300 && statusOf(world) !== "connected"; waited++) world.pass(1000);
    expect([statusOf(world), world.state?.saved.attempts]).toEqual(["connected", 1]);
    end(world);
    world.feed({ kind: "alarm" });
    world.pass(5000);
    expect(statusOf(world)).toBe("connected");
    expect(faultsOf(world)).toEqual([]);
  });

  it("between the count of an Identify and its sending has used it up", () => {
    const world = new GatewayWorld();
    world.pass(72);
    expect(world.state?.saved.lastIdentifyAt).not.toBeNull();
    world.die(0);
    for (let n = 0; n < 20; n++) {
      world.feed({ kind: "alarm" });
      world.pass(400);
    }
    expect(faultsOf(world)).toEqual([]);
  });
});

describe("the budget", () => {
  it("is 200 identifies a day, across all lives", () => {
    const world = new GatewayWorld();
    for (let n = 0; n < 300; n++) {
      world.discord.close(1000);
      world.pass(75_000);
      if (n % 50 === 0) world.die(0);
    }
    expect(world.discord.identifies).toHaveLength(200);
    expect(statusOf(world)).toBe("waiting");
    expect(faultsOf(world)).toEqual([]);
    expect(world.did("log").map(({ line }) => line)).toContain("few gateway sessions are left today: not connecting");
    world.pass(25 * HOUR_MS);
    expect(statusOf(world)).toBe("connected");
  });

  it("leaves the last fifty that Discord grants to others, until they are renewed", () => {
    const world = new GatewayWorld();
    world.discord.switches.remaining = 49;
    world.pass(HOUR_MS);
    expect(world.discord.identifies).toEqual([]);
    expect(world.did("look_up")).toHaveLength(1);
    expect(statusOf(world)).toBe("waiting");
    world.discord.switches.remaining = 1000;
    world.pass(HOUR_MS + 1000);
    expect(statusOf(world)).toBe("connected");
  });

  it("is checked again after an hour, because another token may have more", () => {
    const world = new GatewayWorld();
    world.discord.switches.remaining = 49;
    world.pass(1000);
    world.program = world.caller = { ...PROGRAM, configHash: "another token" };
    world.die(0);
    world.discord.switches.remaining = 1000;
    world.pass(HOUR_MS);
    expect(statusOf(world)).toBe("connected");
  });

  it("does not cause a longer wait than intended if the clock is set back", () => {
    const world = new GatewayWorld();
    world.discord.switches.remaining = 49;
    world.pass(1000);
    world.die(0);
    world.skewMs = -10 * HOUR_MS;
    world.discord.switches.remaining = 1000;
    world.pass(2.2 * HOUR_MS);
    expect(statusOf(world)).toBe("connected");
  });

  it("does not hold back a resume", () => {
    const world = connected();
    world.discord.switches.remaining = 0;
    world.discord.switches.refusedUpgrades = 4;
    world.discord.close(1006);
    world.pass(60_000);
    expect(statusOf(world)).toBe("connected");
    expect(world.discord.identifies).toHaveLength(1);
  });
});

describe("the row", () => {
  const begin = (row: string | null) => beginGateway({ program: PROGRAM, row, outbox: [], seed: 1 }).saved;
  it.each([null, "", "null", "[", "5"])("counts as not yet written if it is %j", (row) => {
    expect(begin(row)).toEqual(emptySaved);
  });

  it("of the version before has no fields that came later, and one of the version after has more", () => {
    const { retired, unread, ...old } = { ...emptySaved, attempts: 3 };
    expect(begin(JSON.stringify(old))).toEqual({ ...old, retired, unread });
    const later = { ...emptySaved, resumeTries: 2, later: [1] } as SavedState;
    expect(begin(JSON.stringify(later))).toMatchObject({ resumeTries: 2 });
  });

  it("contains neither the token nor a message, and is small", () => {
    const world = connected();
    expect(Object.keys(JSON.parse(world.disk.row ?? "{}") as object).sort()).toEqual(Object.keys(emptySaved).sort());
    expect(world.disk.row?.length).toBeLessThan(600);
  });
});

// Usage and limits across channels and servers: what is counted, how often, and how much may be spent, whatever dies.
import { type Arbitrary, array, assert, asyncProperty, constantFrom, integer, record } from "fast-check";
import { describe, expect, it } from "vitest";
import type { LeaseRequest } from "../../../src/core/access/scope-rpc.ts";
import type { TurnReport } from "../../../src/core/money/report.ts";
import { createScopeHarness, type ScopeHarness } from "../../support/scope-harness.ts";

const DEPLOYMENT = "deployment";
const NOW = Date.UTC(2030, 5, 15, 12);
const NO_LIMITS = { userTurns: 0, userTokens: 0, userMicroUsd: 0, serverMicroUsd: 0 };

const scopes = (limits: Partial<ScopeHarness["moneyLimits"]> = {}): ScopeHarness => {
  const h = createScopeHarness(["1"]);
  h.clock.now = NOW;
  h.moneyLimits = { microUsdPerDay: 0, microUsdPerMonth: 0, ...limits };
  return h;
};
const report = (turnId: string, microUsd: number, changes: Partial<TurnReport> = {}): TurnReport => ({
  turnId,
  userId: "10",
  channelId: "500",
  guildId: "77",
  at: NOW,
  usage: { inputTokens: 100, outputTokens: 20, modelCalls: 1, cachedInputTokens: 40, microUsd },
  ...changes,
});
const lease = (turnId: string, changes: Partial<LeaseRequest> = {}): LeaseRequest => ({
  turnId,
  userId: "10",
  guildId: "77",
  spent: { tokens: 0, microUsd: 0 },
  estimate: { tokens: 10, microUsd: 10 },
  limits: NO_LIMITS,
  ...changes,
});
/** Waits for everything that was passed on, and runs alarms until none is set. */
async function settle(h: ScopeHarness): Promise<void> {
  for (let rounds = 0; rounds < 50; rounds++) {
    await Promise.all(h.detached.splice(0));
    const [next] = [...h.alarms].sort((a, b) => a[1] - b[1]);
    if (!next && h.detached.length === 0) return;
    if (next) await h.ring(next[0]);
  }
  throw new Error("reports are never taken");
}
const spentToday = async (h: ScopeHarness, scope: string) =>
  (await h.scope(scope).usage("10", "500")).all.today.microUsd;

describe("a report", () => {
  it("is counted once in the server and once in the deployment, however often it arrives", async () => {
    const h = scopes();
    for (let n = 0; n < 3; n++) expect(await h.scope("guild:77").report([report("1", 7)])).toEqual(["1"]);
    await settle(h);
    const { user, channel, all } = await h.scope("guild:77").usage("10", "500");
    const sum = { turns: 1, inputTokens: 100, cachedTokens: 40, outputTokens: 20, microUsd: 7, unpricedTokens: 0 };
    expect([user.today, channel.month, all.today]).toEqual([sum, sum, sum]);
    const owner = await h.scope(DEPLOYMENT).ownerUsage();
    expect([owner.all.today, owner.dearest]).toEqual([sum, [{ guildId: "77", sum }]]);
    await h.scope(DEPLOYMENT).claim("77");
    const known = await h.scope(DEPLOYMENT).own({ op: "servers" });
    expect(known.op === "servers" && known.servers.map(({ guildId, month }) => [guildId, month])).toEqual([
      ["77", sum],
    ]);
  });

  it("adds up the tokens that have no price", async () => {
    const h = scopes();
    const usage = { inputTokens: 100, outputTokens: 20, modelCalls: 1, unpriced: 120 };
    await h.scope("guild:77").report([report("1", 0, { usage }), report("2", 0, { usage })]);
    const { user } = await h.scope("guild:77").usage("10", "500");
    expect([user.today.unpricedTokens, user.month.unpricedTokens]).toEqual([240, 240]);
  });

  it("of a turn that paid for a transcription and was stopped before its first model call counts what it paid", async () => {
    const h = scopes({ microUsdPerDay: 100 });
    const heard = report("1", 0, { usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0, microUsd: 100 } });
    await h.scope("guild:77").report([heard]);
    await settle(h);
    expect([await spentToday(h, "guild:77"), await spentToday(h, DEPLOYMENT)]).toEqual([100, 100]);
    expect(await h.scope("guild:77").lease(lease("2"))).toMatchObject({ kind: "spent", limit: { of: "deployment" } });
  });

  it("of a turn that was refused before its first model call ends its lease and counts no answer", async () => {
    const h = scopes({ microUsdPerDay: 100 });
    const limits = { ...NO_LIMITS, userTurns: 1 };
    const refused = report("1", 0, { usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 } });
    expect(await h.scope("guild:77").lease(lease("1", { limits }))).toMatchObject({ kind: "granted" });
    expect(await h.scope("guild:77").report([refused])).toEqual(["1"]);
    await settle(h);
    const { user, all } = await h.scope("guild:77").usage("10", "500");
    const owner = await h.scope(DEPLOYMENT).ownerUsage();
    expect([user.today.turns, all.month.turns, owner.all.today.turns, owner.dearest]).toEqual([0, 0, 0, []]);
    expect(await h.scope("guild:77").lease(lease("2", { limits }))).toMatchObject({ kind: "granted" });
  });

  it("leaves nothing lent to its turn, also when it overtakes the turn's request", async () => {
    const h = scopes({ microUsdPerDay: 1000 });
    await h.scope("guild:77").report([report("1", 0, { usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 } })]);
    await settle(h);
    await h.scope("guild:77").lease(lease("1"));
    const estimate = { tokens: 10, microUsd: 1000 };
    expect(await h.scope("guild:77").lease(lease("2", { estimate }))).toMatchObject({ allowance: { microUsd: 1000 } });
  });

  it("reaches the deployment even if the server's life ends right after taking it and the deployment is down for an hour", async () => {
    const h = scopes();
    h.isDown = true;
    await h.scope("guild:77").report([report("1", 7)]);
    await Promise.all(h.detached.splice(0));
    expect(h.alarms.get("guild:77")).toBe(NOW + 10_000);
    h.crash();
    for (let minute = 0; minute < 60; minute++) {
      h.clock.now += 60_000;
      await h.ring("guild:77");
      await Promise.all(h.detached.splice(0));
    }
    h.isDown = false;
    await settle(h);
    expect([await spentToday(h, DEPLOYMENT), h.alarms.size]).toEqual([7, 0]);
  });

  it("counts for the day on which its turn began, and the month includes all its days", async () => {
    const h = scopes();
    await h
      .scope(DEPLOYMENT)
      .report([
        report("1", 1, { guildId: null, at: Date.UTC(2030, 4, 31) }),
        report("2", 10, { guildId: null, at: Date.UTC(2030, 5, 1) }),
        report("3", 100, { guildId: null }),
      ]);
    const { all, user } = await h.scope(DEPLOYMENT).usage("10", "500");
    expect([all.today.microUsd, all.month.microUsd, user.month.microUsd]).toEqual([100, 110, 110]);
  });
});

it("lists the five most expensive servers, and separately the usage outside servers", async () => {
  const h = scopes();
  const reports = [null, "71", "72", "73", "74", "75", "76"].map((guildId, n) =>
    report(String(n), 100 - n, { guildId }),
  );
  await h.scope(DEPLOYMENT).report(reports);
  const { dearest } = await h.scope(DEPLOYMENT).ownerUsage();
  expect(dearest.map(({ guildId }) => guildId)).toEqual(["", "71", "72", "73", "74", "75"]);
});

describe("a limit", () => {
  it("of a person applies across the channels of a server, and separately in another server", async () => {
    const h = scopes();
    const limits = { ...NO_LIMITS, userMicroUsd: 100 };
    await h.scope("guild:77").report([report("1", 100, { channelId: "501" })]);
    expect(await h.scope("guild:77").lease(lease("2", { limits }))).toMatchObject({
      kind: "spent",
      limit: { of: "user" },
    });
    expect((await h.scope("guild:77").lease(lease("3", { limits, userId: "11" }))).kind).toBe("granted");
    expect((await h.scope("guild:78").lease(lease("4", { limits, guildId: "78" }))).kind).toBe("granted");
  });

  it("of a server applies even if the asking channel does not know it, and the answer to a turn that waited says what applies", async () => {
    const h = scopes({ microUsdPerDay: 1_000_000 });
    const person = { userId: "10", guildId: "77", isServerInstall: true };
    await h.scope(DEPLOYMENT).claim("77");
    const change = { interactionId: "1", key: "server_usd_per_day", value: "0.0001", by: "1" };
    expect(await h.scope("guild:77").changeSetting(change)).toMatchObject({ ok: true });
    const settings = await h.scope("guild:77").settings();
    expect(await h.scope("guild:77").lease(lease("1", { person }))).toMatchObject({
      kind: "granted",
      allowance: { microUsd: 10 },
      note: { settings, isLimited: true },
    });
    expect(await h.scope("guild:77").lease(lease("1"))).not.toHaveProperty("note");
    const spent = { tokens: 0, microUsd: 100 };
    expect(await h.scope("guild:77").lease(lease("1", { spent }))).toMatchObject({
      kind: "spent",
      limit: { of: "server" },
    });
  });

  it("of turns counts a running turn once, and turns of other people not at all", async () => {
    const h = scopes();
    const limits = { ...NO_LIMITS, userTurns: 2 };
    const ask = async (turnId: string, userId = "10") =>
      (await h.scope("guild:77").lease(lease(turnId, { limits, userId }))).kind;
    expect([await ask("1"), await ask("1"), await ask("2"), await ask("3"), await ask("4", "11")]).toEqual([
      "granted",
      "granted",
      "granted",
      "spent",
      "granted",
    ]);
  });

  it("of a person's turns outside servers is checked by the deployment, and that of a server is not", async () => {
    const limits = { ...NO_LIMITS, userTurns: 1 };
    const kinds = async (guildId: string | null) => {
      const deployment = scopes({ microUsdPerDay: 1000 }).scope(DEPLOYMENT);
      const ask = async (turnId: string) => (await deployment.lease(lease(turnId, { limits, guildId }))).kind;
      return [await ask("1"), await ask("2")];
    };
    expect([await kinds(null), await kinds("77")]).toEqual([
      ["granted", "spent"],
      ["granted", "granted"],
    ]);
  });

  it("of the deployment applies to all servers, counts what running turns have been lent, and resets with the day", async () => {
    const h = scopes({ microUsdPerDay: 100 });
    const big = { estimate: { tokens: 0, microUsd: 60 } };
    expect(await h.scope("guild:77").lease(lease("1", big))).toMatchObject({
      kind: "granted",
      allowance: { microUsd: 60 },
    });
    expect(await h.scope("guild:78").lease(lease("2", { ...big, guildId: "78" }))).toMatchObject({
      kind: "granted",
      allowance: { microUsd: 40 },
    });
    expect(await h.scope(DEPLOYMENT).lease(lease("3", { guildId: null }))).toMatchObject({
      kind: "spent",
      limit: { of: "deployment", limit: 100, isHeld: true, resetsAt: Date.UTC(2030, 5, 16) },
    });
    await h.scope("guild:77").report([report("1", 20)]);
    await settle(h);
    expect(await h.scope(DEPLOYMENT).lease(lease("3", { guildId: null }))).toMatchObject({ kind: "granted" });
    h.clock.now = Date.UTC(2030, 5, 16);
    expect(await h.scope("guild:79").lease(lease("4", { ...big, guildId: "79" }))).toMatchObject({ kind: "granted" });
  });

  it("of a month names the month's end in its refusal", async () => {
    const h = scopes({ microUsdPerMonth: 100 });
    await h.scope(DEPLOYMENT).report([report("1", 100, { guildId: null, at: Date.UTC(2030, 5, 1) })]);
    expect(await h.scope(DEPLOYMENT).lease(lease("2", { guildId: null }))).toMatchObject({
      kind: "spent",
      limit: { per: "month", resetsAt: Date.UTC(2030, 6, 1) },
    });
  });

  it("of a month counts what running turns have been lent", async () => {
    const h = scopes({ microUsdPerMonth: 100 });
    await h.scope("guild:77").lease(lease("1", { estimate: { tokens: 0, microUsd: 60 } }));
    expect(await h.scope("guild:78").lease(lease("2", { guildId: "78" }))).toMatchObject({
      kind: "granted",
      allowance: { microUsd: 10 },
    });
    const big = { guildId: "79", estimate: { tokens: 0, microUsd: 60 } };
    expect(await h.scope("guild:79").lease(lease("3", big))).toMatchObject({
      kind: "granted",
      allowance: { microUsd: 30 },
    });
  });

  it("gets back after ten minutes what was lent to a turn that never reported", async () => {
    const h = scopes({ microUsdPerDay: 100 });
    await h.scope("guild:77").lease(lease("1", { estimate: { tokens: 0, microUsd: 100 } }));
    expect((await h.scope("guild:77").lease(lease("2"))).kind).toBe("spent");
    h.clock.now += 10 * 60_000 - 1;
    expect((await h.scope("guild:77").lease(lease("2"))).kind).toBe("spent");
    h.clock.now += 1;
    expect((await h.scope("guild:77").lease(lease("2"))).kind).toBe("granted");
  });

  it("of a person's tokens counts what was read and what was written", async () => {
    const h = scopes();
    await h.scope("guild:77").report([report("1", 0)]);
    const kind = async (turnId: string, userTokens: number) =>
      (await h.scope("guild:77").lease(lease(turnId, { limits: { ...NO_LIMITS, userTokens } }))).kind;
    expect([await kind("2", 120), await kind("3", 121)]).toEqual(["spent", "granted"]);
  });

  it("lets nothing be spent while the deployment can't be asked", async () => {
    const h = scopes({ microUsdPerDay: 100 });
    await h.scope("guild:77").copy();
    h.isDown = true;
    await expect(h.scope("guild:77").lease(lease("1"))).rejects.toThrow("down");
  });
});

describe("a turn that waited", () => {
  const person = { userId: "10", guildId: "77", isServerInstall: true };

  it.each([
    ["its server is not claimed any more", async () => {}, "private_server"],
    [
      "everything is paused",
      async (h: ScopeHarness) => void (await h.scope(DEPLOYMENT).own({ op: "pause", isPaused: true })),
      "paused",
    ],
    [
      "its person was blocked",
      async (h: ScopeHarness) => void (await h.scope(DEPLOYMENT).own({ op: "block", userId: "10" })),
      "blocked",
    ],
  ])("is refused when %s", async (_, change, reason) => {
    const h = scopes();
    if (reason !== "private_server") await h.scope(DEPLOYMENT).claim("77");
    await change(h);
    expect(await h.scope("guild:77").lease(lease("1", { person }))).toEqual({ kind: "refused", refusal: { reason } });
  });
});

/** One event in a history of 20 channels in 3 servers and direct messages. */
interface Event {
  kind: (typeof KINDS)[number];
  channel: number;
  cost: number;
}
const KINDS = ["call", "end", "report", "report lost", "report twice", "death", "down", "up", "alarm"] as const;
const channel = integer({ min: 0, max: 19 });
const event: Arbitrary<Event> = record({
  kind: constantFrom("call", "call", ...KINDS),
  channel,
  cost: integer({ min: 0, max: 40 }),
});

it("whatever dies, gets lost or comes twice, sums are exact, and at most one call per running turn is overspent", async () => {
  const LIMIT = 300;
  await assertProperty(async (events) => {
    const h = scopes({ microUsdPerDay: LIMIT });
    const running = new Map<number, { id: string; spent: number; allowed: number }>();
    const outbox = new Map<number, TurnReport[]>();
    let turns = 0;
    let total = 0;
    let open = 0;
    const guildOf = (of: number) => (of % 4 === 3 ? null : String(77 + (of % 4)));
    const scopeOf = (of: number) => h.scope(guildOf(of) === null ? DEPLOYMENT : `guild:${guildOf(of)}`);
    const send = async (of: number, times: number, hearsAnswer: boolean) => {
      const reports = outbox.get(of) ?? [];
      for (let n = 0; n < times; n++) {
        const taken = await scopeOf(of)
          .report(reports)
          .catch((): string[] => []);
        if (hearsAnswer)
          outbox.set(
            of,
            reports.filter(({ turnId }) => !taken.includes(turnId)),
          );
      }
    };
    for (const one of events) {
      if (one.kind === "death") h.crash();
      if (one.kind === "down") h.isDown = true;
      if (one.kind === "up") h.isDown = false;
      if (one.kind === "alarm") for (const name of [...h.alarms.keys()]) await h.ring(name);
      const of = one.channel;
      const turn = running.get(of) ?? { id: String(++turns), spent: 0, allowed: 0 };
      if (one.kind === "call") {
        running.set(of, turn);
        const spent = { tokens: 0, microUsd: turn.spent };
        const asked = lease(turn.id, { guildId: guildOf(of), spent, estimate: { tokens: 0, microUsd: 10 } });
        if (turn.spent >= turn.allowed) {
          const answer = await scopeOf(of)
            .lease(asked)
            .catch(() => null);
          turn.allowed = answer?.kind === "granted" ? (answer.allowance.microUsd ?? 0) : turn.allowed;
        }
        if (turn.spent < turn.allowed) {
          turn.spent += one.cost;
          total += one.cost;
        }
      }
      if (one.kind === "end" && running.delete(of))
        outbox.set(of, [
          ...(outbox.get(of) ?? []),
          report(turn.id, turn.spent, { guildId: guildOf(of), channelId: String(of) }),
        ]);
      if (one.kind === "report") await send(of, 1, true);
      if (one.kind === "report lost") await send(of, 1, false);
      if (one.kind === "report twice") await send(of, 2, true);
      await Promise.all(h.detached.splice(0));
      // A call costs at most 40, and each turn that is not counted yet has at most one call beyond what it was lent.
      open = Math.max(open, running.size + [...outbox.values()].flat().length);
      expect(total).toBeLessThanOrEqual(LIMIT + open * 40);
    }
    h.isDown = false;
    for (const [of, turn] of running)
      outbox.set(of, [
        ...(outbox.get(of) ?? []),
        report(turn.id, turn.spent, { guildId: guildOf(of), channelId: String(of) }),
      ]);
    for (const of of outbox.keys()) await send(of, 1, true);
    await settle(h);
    expect([await spentToday(h, DEPLOYMENT), [...outbox.values()].flat()]).toEqual([total, []]);
    const servers = await Promise.all(["77", "78", "79"].map((id) => spentToday(h, `guild:${id}`)));
    const outside =
      (await h.scope(DEPLOYMENT).ownerUsage()).dearest.find(({ guildId }) => guildId === "")?.sum.microUsd ?? 0;
    expect(servers.reduce((sum, one) => sum + one, outside)).toBe(total);
  });
});

function assertProperty(holds: (events: Event[]) => Promise<void>): Promise<void> {
  return assert(asyncProperty(array(event, { maxLength: 60 }), holds), { numRuns: 1000, seed: 15 });
}

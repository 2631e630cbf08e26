// What counts toward a day's budget, when a day ends, and who may ask at all.
import { describe, expect, it } from "vitest";
import { nearText, spentText } from "../../../src/core/copy/budgets.ts";
import {
  nearBudget,
  resetsAt,
  spentBudget,
  usedBy,
  withTokens,
  withTurn,
  withWaiting,
} from "../../../src/core/decisions/budget.ts";
import { type AccessLists, refusalByLists } from "../../../src/core/state/access-lists.ts";
import type { Budgets, DayUsage } from "../../../src/core/state/day-usage.ts";
import { freeLock } from "../../../src/core/state/record.ts";
import { channel, runningTurn, turn } from "./turns.ts";

const NOON = Date.UTC(2030, 0, 1, 12);
const MIDNIGHT = Date.UTC(2030, 0, 2);
const NONE = { turns: 0, tokens: 0 };
const NO_LIMITS: Budgets = { user: NONE, channel: NONE };
const usage = (users: DayUsage["users"] = {}): DayUsage => ({ day: "2030-01-01", channel: NONE, users });
const tokens = (count: number) => ({ inputTokens: count - 1, outputTokens: 1, modelCalls: 1 });

describe("a day", () => {
  it("ends at midnight in UTC, to the millisecond", () => {
    expect([resetsAt(NOON), resetsAt(MIDNIGHT - 1), resetsAt(MIDNIGHT)]).toEqual([
      MIDNIGHT,
      MIDNIGHT,
      MIDNIGHT + 86_400_000,
    ]);
    const before = withTurn(undefined, "7", MIDNIGHT - 1);
    expect(withTurn(before, "7", MIDNIGHT - 1).users).toEqual({ 7: { turns: 2, tokens: 0 } });
    expect(withTurn(before, "7", MIDNIGHT)).toEqual({
      day: "2030-01-02",
      channel: { turns: 1, tokens: 0 },
      users: { 7: { turns: 1, tokens: 0 } },
    });
  });

  it("counts a turn's tokens if the turn began on that day, and on no other day", () => {
    const late = runningTurn("7", { startedAt: MIDNIGHT - 1, usage: tokens(100) });
    expect(withTokens(usage(), late)).toEqual({
      ...usage({ 7: { turns: 0, tokens: 100, inputTokens: 99, unpriced: 100 } }),
      channel: { turns: 0, tokens: 100, inputTokens: 99, unpriced: 100 },
    });
    const next = { ...usage(), day: "2030-01-02" };
    expect(withTokens(next, late)).toBe(next);
  });
});

describe("usage", () => {
  it("adds up the person's and the channel's, including turns that are still under way", () => {
    const running = runningTurn("7", { startedAt: NOON, usage: tokens(30) });
    const parked = [
      turn("2", "8", { state: "parked", startedAt: NOON, usage: tokens(5) }),
      turn("3", "7", { state: "parked", startedAt: NOON - 86_400_000, usage: tokens(1000) }),
    ];
    const kept: DayUsage = {
      day: "2030-01-01",
      channel: { turns: 3, tokens: 200 },
      users: { 7: { turns: 2, tokens: 150 } },
    };
    const queue = [turn("4", "8", { startedAt: NOON, usage: tokens(7) }), turn("5", "8")];
    const state = channel({ running, parked, queue, lock: { ...freeLock, usage: kept } });
    // An older program counted the first 200 tokens, without their input and cost.
    const all = { turns: 3, tokens: 242, unpriced: 242 };
    expect(usedBy(state, "7", NOON)).toEqual({ user: { turns: 2, tokens: 180, unpriced: 180 }, channel: all });
    expect(usedBy(state, "9", NOON)).toEqual({ user: NONE, channel: all });
    expect(usedBy(state, "constructor", NOON).user).toEqual(NONE);
    expect(usedBy(state, "7", MIDNIGHT)).toEqual({ user: NONE, channel: NONE });
  });

  it("counts turns that wait to begin, but not those that steer another turn or continue", () => {
    const queue = [
      turn("2", "7"),
      turn("3", "8"),
      turn("4", "7", { steers: "1" }),
      turn("5", "7", { startedAt: NOON }),
      turn("6", "8"),
    ];
    expect(withWaiting({ user: NONE, channel: NONE }, queue, "7")).toEqual({
      user: { turns: 1, tokens: 0 },
      channel: { turns: 3, tokens: 0 },
    });
  });
});

describe("a limit", () => {
  it.each([
    ["user", "turns"],
    ["user", "tokens"],
    ["channel", "turns"],
    ["channel", "tokens"],
  ] as const)("on the %s's %s leaves room below it, and none at or above it", (of, unit) => {
    const limits = { ...NO_LIMITS, [of]: { ...NONE, [unit]: 10 } };
    const used = (count: number) => ({ ...NO_LIMITS, [of]: { ...NONE, [unit]: count } });
    expect(spentBudget(used(9), limits, NOON)).toBeNull();
    for (const count of [10, 11])
      expect(spentBudget(used(count), limits, NOON)).toEqual({ of, unit, limit: 10, resetsAt: MIDNIGHT });
  });

  it("of 0 means no limit", () => {
    const much = { turns: 1e6, tokens: 1e9 };
    expect(spentBudget({ user: much, channel: much }, NO_LIMITS, NOON)).toBeNull();
  });

  it("is announced once, by the turn that passes four fifths of it", () => {
    const limits = { ...NO_LIMITS, user: { turns: 10, tokens: 1000 } };
    const told = (turns: number, all: number, own: number) =>
      nearBudget(
        usage({ 7: { turns, tokens: all } }),
        runningTurn("7", { startedAt: NOON, usage: tokens(own) }),
        limits,
      );
    expect([told(7, 100, 50), told(8, 100, 50), told(9, 100, 50)]).toEqual([
      null,
      { of: "user", unit: "turns", limit: 10, used: 8 },
      null,
    ]);
    expect([told(2, 799, 50), told(2, 800, 1), told(2, 900, 50), told(2, 900, 101)]).toEqual([
      null,
      { of: "user", unit: "tokens", limit: 1000, used: 800 },
      null,
      { of: "user", unit: "tokens", limit: 1000, used: 900 },
    ]);
    expect(
      nearBudget(usage({ 7: { turns: 8, tokens: 0 } }), runningTurn("7", { startedAt: MIDNIGHT }), limits),
    ).toBeNull();
  });

  it("is described in words, with the time when it resets", () => {
    const at = `on <t:${MIDNIGHT / 1000}:f>`;
    expect(spentText({ of: "user", unit: "turns", limit: 1, resetsAt: MIDNIGHT })).toBe(
      `You have used up your 1 answer for today. The limit resets ${at}. Use \`/bot usage\` to see more.`,
    );
    expect(spentText({ of: "channel", unit: "tokens", limit: 50_000, resetsAt: MIDNIGHT })).toBe(
      `This channel has used up its 50,000 tokens for today. The limit resets ${at}. Use \`/bot usage\` to see more.`,
    );
    expect(nearText({ of: "channel", unit: "turns", limit: 200, used: 160 })).toBe(
      "This channel has used 160 of its 200 answers for today.",
    );
  });
});

describe("the lists of a channel", () => {
  const OPEN: AccessLists = { allow_roles: [], allow_users: [], deny_roles: [], deny_users: [] };
  it.each([
    ["allow everyone when empty", OPEN, null],
    ["allow a listed person", { ...OPEN, allow_users: ["7"] }, null],
    ["allow a person with a listed role", { ...OPEN, allow_roles: ["30", "31"] }, null],
    ["refuse a person who is not listed", { ...OPEN, allow_users: ["8"] }, "not_listed"],
    ["refuse a person without the listed role", { ...OPEN, allow_roles: ["30"] }, "not_listed"],
    ["allow a person who is on one list of two", { ...OPEN, allow_roles: ["30"], allow_users: ["7"] }, null],
    ["deny a listed person", { ...OPEN, deny_users: ["7"] }, "denied"],
    ["deny a person with a denied role", { ...OPEN, deny_roles: ["31"] }, "denied"],
    ["deny a person who is both allowed and denied", { ...OPEN, allow_users: ["7"], deny_roles: ["31"] }, "denied"],
    ["allow a person when only others are denied", { ...OPEN, deny_users: ["8"], deny_roles: ["30"] }, null],
  ])("%s", (_, lists, reason) => {
    expect(refusalByLists([lists], "7", ["31"])).toEqual(reason && { reason });
  });

  it("apply in every scope: each scope must allow a person, and a denial in any scope is the reason shown", () => {
    const [onlyEight, deniesSeven] = [
      { ...OPEN, allow_users: ["8"] },
      { ...OPEN, deny_users: ["7"] },
    ];
    const told = (...scopes: AccessLists[]) => refusalByLists(scopes, "7", [])?.reason ?? null;
    expect([
      told(),
      told(OPEN, { ...OPEN, allow_users: ["7"] }),
      told(onlyEight, { ...OPEN, allow_users: ["7"] }),
      told({ ...OPEN, allow_users: ["7"] }, onlyEight),
      told(onlyEight, deniesSeven),
    ]).toEqual([null, null, "not_listed", "not_listed", "denied"]);
  });

  it("let a person whose roles are unknown pass only if a list of allowed roles might include them", () => {
    const told = (lists: Partial<AccessLists>) => refusalByLists([{ ...OPEN, ...lists }], "7", null)?.reason ?? null;
    expect([
      told({ allow_users: ["8"] }),
      told({ allow_users: ["8"], allow_roles: ["31"] }),
      told({ allow_users: ["7"] }),
      told({ deny_users: ["7"], allow_roles: ["31"] }),
    ]).toEqual(["not_listed", null, null, "denied"]);
  });
});

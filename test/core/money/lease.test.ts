// What a turn may spend of a limit that applies across channels, and when a limit is used up.
import { describe, expect, it } from "vitest";
import { coversCall, endOf } from "../../../src/core/money/lease.ts";
import { decideLease, narrower, type ScopeLimit } from "../../../src/core/money/lend.ts";

const NOW = Date.UTC(2030, 11, 31, 23, 30);
const DAY_END = Date.UTC(2031, 0, 1);
const money = (limit: number, used: number, of: ScopeLimit["of"] = "deployment"): ScopeLimit => ({
  of,
  unit: "microUsd",
  per: "day",
  limit,
  used,
  held: 0,
});
const turn = (spent = 0, estimate = 0, isNew = true) => ({
  spent: { tokens: spent, microUsd: spent },
  estimate: { tokens: estimate, microUsd: estimate },
  isNew,
});

describe("a lease", () => {
  it.each([
    ["a tenth of what is left", money(1000, 0), turn(0, 5), 100],
    ["at least one call", money(1000, 0), turn(0, 300), 300],
    ["never more than what is left", money(1000, 900), turn(0, 300), 100],
    ["in addition to what the turn has already spent", money(1000, 500), turn(400, 5), 410],
    ["a whole unit if a tenth is less", money(1000, 995), turn(0, 0), 1],
  ])("is %s", (_, limit, of, microUsd) => {
    expect(decideLease([limit], of, NOW)).toEqual({ ok: true, allowance: { tokens: null, microUsd } });
  });

  it("is the smallest that any limit of a unit allows, and unlimited if no limit is set", () => {
    const limits = [money(1000, 0), money(200, 0, "server"), money(0, 99, "user")];
    expect(decideLease(limits, turn(), NOW)).toEqual({ ok: true, allowance: { tokens: null, microUsd: 20 } });
    expect(decideLease([], turn(), NOW)).toEqual({ ok: true, allowance: { tokens: null, microUsd: null } });
  });

  it("is refused if nothing is left, with the limit and when it resets", () => {
    const spent = { of: "server", unit: "microUsd", limit: 1000, resetsAt: DAY_END };
    expect(decideLease([money(1000, 600, "server")], turn(400, 1), NOW)).toEqual({ ok: false, limit: spent });
    const month: ScopeLimit = { ...money(1000, 1000), per: "month" };
    expect(decideLease([month], turn(), NOW)).toEqual({
      ok: false,
      limit: { of: "deployment", unit: "microUsd", limit: 1000, per: "month", resetsAt: DAY_END },
    });
  });

  it.each([
    ["held by other turns", { used: 900, held: 100 }, { isHeld: true }],
    ["used and held", { used: 500, held: 600 }, { isHeld: true }],
    ["used up, whatever is held", { used: 1000, held: 100 }, {}],
  ])("is refused when all is %s, and says whether any of it may come back", (_, gone, told) => {
    const limit = { of: "deployment", unit: "microUsd", limit: 1000, resetsAt: DAY_END, ...told };
    expect(decideLease([{ ...money(1000, 0), ...gone }], turn(), NOW)).toEqual({ ok: false, limit });
  });

  it("is refused for good if the turn has spent everything by itself", () => {
    const limit = { of: "deployment", unit: "microUsd", limit: 1000, resetsAt: DAY_END };
    expect(decideLease([{ ...money(1000, 0), held: 200 }], turn(1000), NOW)).toEqual({ ok: false, limit });
  });

  it("counts a turn once, so a limit of turns refuses only a new turn", () => {
    const turns: ScopeLimit = { of: "user", unit: "turns", per: "day", limit: 3, used: 2, held: 1 };
    const refused = { of: "user", unit: "turns", limit: 3, resetsAt: DAY_END };
    expect(decideLease([turns], turn(), NOW)).toEqual({ ok: false, limit: refused });
    expect(decideLease([turns], turn(0, 0, false), NOW).ok).toBe(true);
  });
});

it("both allowances apply: the smaller one for each unit, and any limit rather than none", () => {
  expect(narrower({ tokens: null, microUsd: 5 }, { tokens: 7, microUsd: 3 })).toEqual({ tokens: 7, microUsd: 3 });
});

it.each([
  [{ tokens: null, microUsd: null }, true],
  [{ tokens: 15, microUsd: null }, true],
  [{ tokens: 14, microUsd: null }, false],
  [{ tokens: null, microUsd: 14 }, false],
])("an allowance of %o covers a call: %s", (allowance, expected) => {
  expect(coversCall(allowance, { tokens: 10, microUsd: 10 }, { tokens: 5, microUsd: 5 })).toBe(expected);
});

it("a day ends at midnight and a month with its last day, in UTC", () => {
  expect([endOf("day", NOW), endOf("month", NOW), endOf("month", Date.UTC(2030, 1, 3))]).toEqual([
    DAY_END,
    DAY_END,
    Date.UTC(2030, 2, 1),
  ]);
});

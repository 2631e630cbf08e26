// What owners read about their servers and about the cost of everything: with none, one, and more than fit.
import { describe, expect, it } from "vitest";
import type { KnownServer } from "../../../src/core/access/scope-rpc.ts";
import { ownerUsageText, serversText } from "../../../src/core/copy/owner-report.ts";
import { NO_USAGE } from "../../../src/core/money/report.ts";

const all = { today: NO_USAGE, month: NO_USAGE };
const limits = { microUsdPerDay: 5_000_000, microUsdPerMonth: 0 };
const sum = { ...NO_USAGE, turns: 2, microUsd: 1_500_000 };

describe("what everything costs", () => {
  it("has a list of servers only if one of them has cost anything", () => {
    expect(ownerUsageText({ all, dearest: [], ...limits })).not.toContain("Most expensive");
    const lines = ownerUsageText({
      all,
      dearest: [
        { guildId: "5", sum },
        { guildId: "", sum },
      ],
      ...limits,
    }).split("\n");
    const at = lines.indexOf("**Most expensive this month**");
    expect(lines.slice(at + 1, at + 3)).toEqual([
      expect.stringMatching(/^- `5`.*\$1\.50/),
      expect.stringMatching(/^- Outside servers.*\$1\.50/),
    ]);
  });

  it("says that there is no limit only if there is none", () => {
    expect(ownerUsageText({ all, dearest: [], ...limits })).not.toContain("No limit");
    expect(ownerUsageText({ all, dearest: [], microUsdPerDay: 0, microUsdPerMonth: 7 })).not.toContain("No limit");
    expect(ownerUsageText({ all, dearest: [], microUsdPerDay: 0, microUsdPerMonth: 0 })).toContain("No limit is set.");
  });
});

describe("the servers", () => {
  const server = (guildId: string, more: Partial<KnownServer> = {}): KnownServer => ({
    guildId,
    since: 1_999_999,
    isClaimed: true,
    denied: null,
    ...more,
  });
  const lines = (servers: KnownServer[], blocked: string[] = []) =>
    serversText({ servers, blocked, isPaused: false }).split("\n");

  it("are listed with what is known about each", () => {
    expect(
      lines([
        server("1"),
        server("2", { isClaimed: false, month: NO_USAGE }),
        server("3", { denied: "spam", month: { ...sum, turns: 1 } }),
        server("4", { month: { ...NO_USAGE, turns: 1200, unpricedTokens: 9 } }),
        server("5", { month: { ...sum, unpricedTokens: 9 } }),
        server("6", { month: { ...NO_USAGE, turns: 2 } }),
      ]),
    ).toEqual([
      "Servers (6):",
      "- `1`, known since <t:1999:d>, switched on",
      "- `2`, known since <t:1999:d>, not switched on",
      "- `3`, known since <t:1999:d>, 1 answer this month ($1.50), denied: spam",
      "- `4`, known since <t:1999:d>, 1,200 answers this month (cost not known), switched on",
      "- `5`, known since <t:1999:d>, 2 answers this month ($1.50), switched on",
      "- `6`, known since <t:1999:d>, 2 answers this month ($0), switched on",
    ]);
  });

  it.each([
    ["x".repeat(22), "x".repeat(22)],
    ["x".repeat(23), `${"x".repeat(22)}…`],
  ])("show 22 characters of the reason why one is denied", (denied, shown) => {
    expect(lines([server("1", { denied })])[1]?.split("denied: ")[1]).toBe(shown);
  });

  it("fit into one message, however much is known about each", () => {
    const month = { ...NO_USAGE, turns: 1_000_000, microUsd: 12_345_678_900 };
    const denied = server("1180000000000000000", { since: 1_800_000_000_000, denied: "reason ".repeat(60), month });
    const whole = lines(Array(40).fill(denied)).join("\n");
    expect(whole.length).toBeLessThanOrEqual(2000);
    expect(whole).toContain("… and 25 more.");
  });

  it("leave room for the blocked people, fifteen of whom are named", () => {
    const month = { ...NO_USAGE, turns: 1_000_000, microUsd: 12_345_678_900 };
    const denied = server("1180000000000000000", { since: 1_800_000_000_000, denied: "reason ".repeat(60), month });
    const all = lines(Array(40).fill(denied), Array(20).fill("1180000000000000022"));
    expect(all.join("\n").length).toBeLessThanOrEqual(2000);
    expect(all.at(-2)).toBe(`-# … and ${40 - (all.length - 3)} more.`);
    expect(all.at(-1)).toMatch(/^Blocked \(20\): (<@\d+>, ){14}<@\d+> and 5 more$/);
  });

  it("are cut after fifteen, and say so", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => server(String(at)));
    expect([lines([]), lines(many(15)).length, lines(many(17)).at(-1)]).toEqual([
      ["No one has used me in a server yet."],
      16,
      "-# … and 2 more.",
    ]);
    expect(lines([], ["7", "8"]).at(-1)).toBe("Blocked (2): <@7>, <@8>");
  });
});

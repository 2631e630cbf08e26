// The figures on the first page are those that the benchmark wrote down.
import { describe, expect, it } from "vitest";
import { readResults, table, withTable } from "./bench/results.ts";
import { readText } from "./support/pages.ts";

describe("the figures on the first page", () => {
  it("match those of the tests' page, for the sweeps", () => {
    const sums = (page: string) =>
      readText(page).match(/[\d,]+ (?:deaths|faults) in [\d,]+ runs of \d+ (?:scenarios|stories)/g);
    expect(sums("README.md")).toEqual(sums("test/README.md"));
    expect(sums("README.md")).toHaveLength(2);
  });

  it("match the benchmark's last run", () => {
    const page = readText("README.md");
    expect(withTable(page, readResults())).toBe(page);
  });

  it("show each row as the benchmark measured it, next to the hand-written program and the best peer", () => {
    const figure = { id: "stream-1500", what: "a stream", unit: "ms", target: "≤ 1", note: "" };
    const peer = (name: string, value: number) => ({
      name,
      versions: {},
      figures: { "stream-1500": { ok: true, value } },
    });
    const failed = {
      name: "C",
      versions: {},
      figures: { "stream-1500": { ok: false, reason: "does not start" } },
    } as const;
    const results = {
      at: "2026-11-22",
      on: { machine: "2 × a processor", workerd: "1.2.3" },
      figures: [
        { ...figure, parley: 252.4, floor: 192.04 },
        { ...figure, id: "not-shown", parley: 1, floor: null },
      ],
      peers: { at: "2026-11-22", list: [peer("A", 400), peer("B", 300.1), failed] as never },
    };
    expect(table(results)).toBe(
      "| | Parley | by hand | best peer |\n|---|---|---|---|\n| a stream | 252 ms | 192 ms | B 300 ms |\n\n2026-11-22, 2 × a processor, workerd 1.2.3.\n",
    );
  });
});

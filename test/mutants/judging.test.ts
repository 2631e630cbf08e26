// Who noticed a site, with a scripted player: what a test alone says, what groups say, and what a fresh program says.
import { describe, expect, it } from "vitest";
import { compile } from "./compile.ts";
import { judge, type Suspect } from "./judging.ts";
import type { LaneTest } from "./recorded-lane.ts";
import { findSites } from "./sites.ts";

const test = (name: string, ms: number): LaneTest => ({ file: "a.test.ts", index: 0, name, ms, calls: 1 });
const QUICK = test("quick", 10);
const SLOW = test("slow", 2000);

/** Answers as if each test noticed these sites; the `unsure` ones count only in a freshly loaded program. */
function scripted(notices: ReadonlyMap<LaneTest, readonly number[]>, unsure: readonly number[] = []) {
  const asked: string[] = [];
  return {
    asked,
    end: () => {},
    record: () => Promise.reject(new Error("not asked")),
    async judge({ site, tests, fresh }: { site: number; tests: readonly LaneTest[]; fresh: boolean }) {
      asked.push(`${fresh ? "fresh " : ""}${site}: ${tests.map(({ name }) => name).join()}`);
      const order = tests.findIndex((one) => notices.get(one)?.includes(site));
      if (order < 0) return { order: null, how: "passed", isSure: true };
      return { order, how: "failed", isSure: fresh || !unsure.includes(site) };
    },
    async judgeGroup(one: LaneTest, group: readonly number[]) {
      asked.push(`${[...group].toSorted()}: ${one.name}`);
      return group.filter((site) => notices.get(one)?.includes(site));
    },
  };
}

async function judged(player: ReturnType<typeof scripted>, suspects: readonly Suspect[]): Promise<string[]> {
  const heard: string[] = [];
  await judge([player], suspects, (site, { name }, how) => heard.push(`${site} ${name} ${how}`));
  return heard;
}

describe("the tests of the node lane", () => {
  const tests = [QUICK, SLOW];

  it("judge each site alone by quick tests, and together with others by slow ones", async () => {
    const player = scripted(
      new Map([
        [QUICK, [1]],
        [SLOW, [1, 3]],
      ]),
    );
    const suspects = [1, 2, 3].map((site) => ({ site, tests, fresh: [] }));
    expect(await judged(player, suspects)).toEqual(["1 quick failed", "3 slow failed"]);
    expect(player.asked).toEqual(["1: quick", "2: quick", "3: quick", "2,3: slow"]);
  });

  it("judge the remaining sites in a freshly loaded program, if something is kept from its start", async () => {
    const player = scripted(new Map([[SLOW, [1]]]));
    const suspects = [1, 2].map((site) => ({ site, tests: [QUICK], fresh: [SLOW] }));
    expect(await judged(player, suspects)).toEqual(["1 slow failed"]);
    expect(player.asked).toEqual(["1: quick", "2: quick", "fresh 1: slow", "fresh 2: slow"]);
  });

  it("ask again in such a program if something else may be to blame", async () => {
    const player = scripted(new Map([[QUICK, [1]]]), [1]);
    expect(await judged(player, [{ site: 1, tests: [QUICK], fresh: [] }])).toEqual(["1 quick failed"]);
    expect(player.asked).toEqual(["1: quick", "fresh 1: quick"]);
  });
});

describe("the compiler", () => {
  it("judges one site of each file at a time, and finds by halving which one broke another file", async () => {
    const texts = new Map([
      ["a.ts", "x(1 < 2, 3 < 4);"],
      ["b.ts", "x(1 < 2);"],
      ["c.ts", "x(1 < 2);"],
    ]);
    const runs: string[][] = [];
    const copy = {
      read: (file: string) => texts.get(file) ?? "",
      write: (file: string, text: string) => texts.set(file, text),
      async errors() {
        const broken = [...texts].filter(([, text]) => text.includes("<=")).map(([file]) => file);
        runs.push(broken);
        // The first site of a.ts causes an error in a.ts; that of c.ts causes one in d.ts, which is unbroken.
        const found = new Set<string>();
        if (texts.get("a.ts")?.includes("1 <=")) found.add("a.ts");
        if (broken.includes("c.ts")) found.add("d.ts");
        return found;
      },
    };
    const sites = [...texts].flatMap(([file, text]) => findSites(file, text));
    const heard: string[] = [];
    await compile(copy, sites, ({ file, column }, isNoticed) => heard.push(`${file}:${column} ${isNoticed}`));
    expect(heard).toEqual(["a.ts:5 true", "b.ts:5 false", "c.ts:5 true", "a.ts:12 false"]);
    expect(runs).toEqual([["a.ts", "b.ts", "c.ts"], ["a.ts"], ["b.ts", "c.ts"], ["b.ts"], ["c.ts"], ["a.ts"]]);
    expect(texts.get("c.ts")).toBe("x(1 < 2);");
  });
});

// Judges sites by the node lane: the quick tests of each by itself, then the others with many operators broken at once, then those that must
// see an operator broken from the start.

import type { Player } from "./players.ts";
import type { LaneTest } from "./recorded-lane.ts";

/** A site with the tests that may notice it, by their order. */
export interface Suspect {
  site: number;
  tests: readonly LaneTest[];
  fresh: readonly LaneTest[];
}

/** Who noticed a site, and how: a test failed, or never ended. */
export type Hear = (site: number, test: LaneTest, how: string) => void;

/** So much time of tests is spent on a site alone. */
const ALONE_MS = 500;
/** So many are broken at once in a test. What fails is then looked for in halves, so that a group of those that nobody notices costs one run. */
const TOGETHER = 24;
/** A test of this length gets larger groups. */
const LONG_MS = 1000;
const TOGETHER_IN_LONG = 64;
/** Fresh runs load the program anew, and may take so much time of tests. */
const FRESH_MS = 20_000;

/** Takes items until none is left. */
export async function share<Item>(
  players: readonly Player[],
  items: readonly Item[],
  work: (player: Player, item: Item) => Promise<void>,
) {
  const left = [...items];
  await Promise.all(
    players.map(async (player) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await work(player, next);
    }),
  );
}

/** How many of these tests fit into a time. */
function within(tests: readonly LaneTest[], limitMs: number): LaneTest[] {
  let sum = 0;
  return tests.filter(({ ms }) => {
    sum += ms;
    return sum <= limitMs;
  });
}

/** Judges all of them; `hear` gets who noticed what. What it doesn't get, no test of the lane noticed. */
export async function judge(players: readonly Player[], suspects: readonly Suspect[], hear: Hear): Promise<void> {
  const alive = new Set(suspects.map(({ site }) => site));
  const notice: Hear = (site, test, how) => {
    alive.delete(site);
    hear(site, test, how);
  };
  const asked = new Map<number, Set<LaneTest>>();

  await share(players, suspects, async (player, { site, tests }) => {
    const chosen = within(tests, ALONE_MS);
    asked.set(site, new Set(chosen));
    if (chosen.length > 0) await judgeAlone(player, site, chosen, notice);
  });

  const pairs = new Map<LaneTest, number[]>();
  for (const { site, tests } of suspects)
    if (alive.has(site))
      for (const test of tests) if (!asked.get(site)?.has(test)) pairs.set(test, [...(pairs.get(test) ?? []), site]);
  const shortestFirst = [...pairs].toSorted(([a], [b]) => a.ms - b.ms);
  await share(players, shortestFirst, async (player, [test, sites]) => {
    const size = test.ms > LONG_MS ? TOGETHER_IN_LONG : TOGETHER;
    const left = scattered(sites.filter((site) => alive.has(site)));
    for (let at = 0; at < left.length; at += size) {
      const group = left.slice(at, at + size);
      const noticed = await player.judgeGroup(test, group);
      if (noticed) for (const site of noticed) notice(site, test, "failed");
      else for (const site of group) await judgeAlone(player, site, [test], notice);
    }
  });

  const cold = suspects.filter(({ site, fresh }) => alive.has(site) && fresh.length > 0);
  await share(players, cold, async (player, { site, fresh }) => {
    const chosen = within(fresh, FRESH_MS);
    const { order, how } = await player.judge({ site, tests: chosen, fresh: true });
    const test = order === null ? undefined : chosen[order];
    if (test) notice(site, test, how);
  });
}

/** One site, test after test. Where something else may be to blame, the test decides in a program that is loaded anew. */
async function judgeAlone(player: Player, site: number, tests: readonly LaneTest[], notice: Hear): Promise<void> {
  let left = tests;
  while (left.length > 0) {
    const { order, how, isSure } = await player.judge({ site, tests: left, fresh: false });
    const test = order === null ? undefined : left[order];
    if (order === null || !test) return;
    if (isSure || (await player.judge({ site, tests: [test], fresh: true })).order !== null)
      return notice(site, test, how);
    left = left.slice(order + 1);
  }
}

/** Neighbours are in different groups: two operators of one line easily hide each other. */
const scattered = (sites: readonly number[]): number[] => {
  const SPREAD = 2_654_435_761;
  const MODULUS = 1009;
  return sites.toSorted((a, b) => ((a * SPREAD) % MODULUS) - ((b * SPREAD) % MODULUS));
};

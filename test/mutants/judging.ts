// Judges sites by the node lane: first by each site's quick tests, one at a time, then by the others with many operators broken at once, then
// by tests that must see an operator broken from the start.

import type { Player } from "./players.ts";
import type { LaneTest } from "./recorded-lane.ts";

/** A site with the tests that may notice it, in order. */
export interface Suspect {
  site: number;
  tests: readonly LaneTest[];
  fresh: readonly LaneTest[];
}

/** Called with the site, the test that noticed it, and how: the test failed, or never ended. */
export type Hear = (site: number, test: LaneTest, how: string) => void;

/** How much test time is spent on a single site. */
const ALONE_MS = 500;
/** How many sites are broken at once in one test. If it fails, the culprits are found by halving, so a group that nobody notices costs one run. */
const TOGETHER = 24;
/** A test that takes longer than this gets larger groups. */
const LONG_MS = 1000;
const TOGETHER_IN_LONG = 64;
/** The test time that may be spent on fresh runs, each of which loads the program anew. */
const FRESH_MS = 20_000;

/** Lets the players take items until none is left. */
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

/** The first of these tests that together fit into the time. */
function within(tests: readonly LaneTest[], limitMs: number): LaneTest[] {
  let sum = 0;
  return tests.filter(({ ms }) => {
    sum += ms;
    return sum <= limitMs;
  });
}

/** Judges all of them; `hear` is called for each noticed site. No test of the lane noticed the others. */
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

/** Judges one site, test after test. If something else may be to blame, the test decides in a freshly loaded program. */
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

/** Puts neighbors into different groups, because two operators on one line easily hide each other. */
const scattered = (sites: readonly number[]): number[] => {
  const SPREAD = 2_654_435_761;
  const MODULUS = 1009;
  return sites.toSorted((a, b) => ((a * SPREAD) % MODULUS) - ((b * SPREAD) % MODULUS));
};

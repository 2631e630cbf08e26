// The order in which sites are judged: recordings of the node lane, whose tests must pass; its tests; the compiler; the tests inside workerd.
import type { AllSites } from "./all-sites.ts";
import { compile } from "./compile.ts";
import { makeCopy } from "./copy.ts";
import { coveringTests, importGraph } from "./covering.ts";
import { judge, share } from "./judging.ts";
import type { Recorded } from "./messages.ts";
import type { Outcome, Outcomes } from "./outcomes.ts";
import { makePlayer, type Player } from "./players.ts";
import { recordedLane } from "./recorded-lane.ts";
import { markOfClosure, recordingOf, workersRecording } from "./recordings.ts";
import type { Site } from "./sites.ts";
import { findUsers } from "./users.ts";
import { judgeInWorkersLane, WORKERS_FILES } from "./workers-lane.ts";

/** What is needed to judge the sites. */
export interface Judging {
  all: AllSites;
  players: number;
  outcomes: Outcomes;
  /** Called for each judged site. */
  tell(outcome: Outcome): void;
}

/** Judges these sites; earlier outcomes are used first. */
export async function judgeSites(
  { all, players, outcomes, tell }: Judging,
  numbers: readonly number[],
): Promise<Outcome[]> {
  const graph = importGraph();
  const marks = new Map<string, string>();
  const markOf = (file: string): string => {
    const mark = marks.get(file) ?? markOfClosure(graph, file);
    marks.set(file, mark);
    return mark;
  };
  const kept = outcomes.read(markOf);
  const found = new Map<number, Outcome>();
  const covering = new Map<string, string[]>();
  for (const { file } of numbers.map((number) => siteOf(all, number)))
    if (!covering.has(file)) covering.set(file, coveringTests(graph, file));
  const testsOf = (number: number) => covering.get(siteOf(all, number).file) ?? [];
  const hear = (number: number, outcome: Pick<Outcome, "by" | "test" | "near">, isNew = true): void => {
    // Two tests that ran at the same time may notice the same site.
    if (found.has(number)) return;
    const { file, line, column, operator, instead } = siteOf(all, number);
    const mutation = `${file}:${line}:${column} ${operator} → ${instead === "" ? "nothing" : instead}`;
    found.set(number, { number, mutation, ...outcome });
    if (isNew) outcomes.add({ number, mutation, ...outcome }, markOf);
    tell({ number, mutation, ...outcome });
  };
  for (const number of numbers) {
    const before = kept.get(number);
    if (before) hear(number, before, false);
  }
  const left = () => numbers.filter((number) => !found.has(number));
  if (left().length === 0) return [...found.values()];

  const made = Array.from({ length: players }, () => makePlayer(all));
  let lane: ReturnType<typeof recordedLane>;
  try {
    const files = new Set(left().flatMap(testsOf));
    lane = recordedLane(
      await recordAll(made, [...files], (file, player) => recordingOf(all, markOf(file), file, player)),
    );
    const usersOf = findUsers(all);
    const suspects = left().map((site) => {
      const tests = testsOf(site);
      return { site, tests: lane.testsOf(site, tests), fresh: lane.freshTestsOf(site, tests, usersOf) };
    });
    await judge(made, suspects, (site, { file, name }, how) =>
      hear(site, {
        by: "node lane",
        test: `${file} > ${name}${how === "hangs" ? " (hangs)" : ""}`,
        near: lane.nearestOf(site, testsOf(site)),
      }),
    );
  } finally {
    for (const player of made) player.end();
  }

  if (left().length > 0) {
    console.log(`The compiler looks at ${left().length} …`);
    const copy = makeCopy();
    try {
      const numberOf = new Map(left().map((number) => [siteOf(all, number), number]));
      await compile(copy, [...numberOf.keys()], (site, isNoticed) => {
        const number = numberOf.get(site);
        if (isNoticed && number !== undefined)
          hear(number, { by: "compiler", test: "", near: lane.nearestOf(number, testsOf(number)) });
      });
    } finally {
      copy.remove();
    }
  }

  if (left().length > 0) {
    console.log(`The tests inside workerd look at ${left().length} …`);
    const tests = await workersRecording(all, WORKERS_FILES.map(markOf));
    await judgeInWorkersLane(all.sites.length, left(), tests, ({ site, test, how }) =>
      hear(site, {
        by: test === null ? null : "workers lane",
        test: `${test ?? ""}${how === "hangs" ? " (hangs)" : ""}`,
        near: lane.nearestOf(site, testsOf(site)),
      }),
    );
  }
  return [...found.values()];
}

function siteOf({ sites }: AllSites, number: number): Site {
  const site = sites[number];
  if (!site) throw new Error(`There is no site ${number}.`);
  return site;
}

/** All recordings. The tests must pass unmodified, because one that fails anyway would notice everything. */
async function recordAll(
  players: readonly Player[],
  files: readonly string[],
  recording: (file: string, player: Player) => Promise<Recorded>,
): Promise<Recorded[]> {
  console.log(`The tests of ${files.length} files as they are …`);
  const recorded: Recorded[] = [];
  await share(players, files, async (player, file) => {
    recorded.push(await recording(file, player));
  });
  const failing = recorded.flatMap(({ file, tests }) =>
    tests.flatMap(({ name, ended }) => (ended === "passed" ? [] : [`${file} > ${name}: ${ended}`])),
  );
  if (failing.length > 0) throw new Error(`These tests don't pass without a mutation:\n${failing.join("\n")}`);
  return recorded;
}

// The workers lane of a mutation run: starts `inside-workerd.ts`, and receives what its tests reach and notice.
import { createVitest } from "vitest/node";
import { listSources, ROOT } from "../support/source-tree.ts";
import { fromBits, hasBit } from "./bits.ts";

/** A test of the lane, as it was recorded. */
export interface WorkersTest {
  file: string;
  index: number;
  name: string;
  ms: number;
  ended: string;
  again: string;
  /** The sites where it may make a difference, as bits. */
  differs: string;
}

/** What was found for a site: the test that noticed it, or null. */
export interface WorkersVerdict {
  site: number;
  test: string | null;
  how: string;
}

/** The task of `inside-workerd.ts`: to record, or to judge these jobs. */
export interface WorkersTask {
  sites: number;
  files: readonly string[];
  jobs: { site: number; tests: [file: string, index: number][] }[] | null;
}

/** The lane's files, without the sweep of deaths. */
export const WORKERS_FILES = listSources("test/workers").filter((file) => /(?<!\/crash-\d)\.test\.ts$/.test(file));

/** The beginning of a line that is meant for this process. */
export const MARK = "@@";

async function play(task: Omit<WorkersTask, "files">, hear: (line: string) => void): Promise<void> {
  // Otherwise the runtime asks the network for `request.cf`.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  const vitest = await createVitest("test", {
    config: `${ROOT}/test/mutants/workers.config.ts`,
    watch: false,
    reporters: [
      {
        onUserConsoleLog({ content }) {
          for (const line of content.split("\n")) if (line.startsWith(MARK)) hear(line.slice(MARK.length));
        },
      },
    ],
  });
  vitest.provide("mutants", { ...task, files: WORKERS_FILES });
  await vitest.start();
  const failed = vitest.state.getCountOfFailedTests() + vitest.state.getUnhandledErrors().length;
  await vitest.close();
  if (failed > 0) throw new Error("The tests inside workerd could not be played.");
}

/** What each of its tests reaches. */
export async function recordWorkersLane(sites: number): Promise<WorkersTest[]> {
  const tests: WorkersTest[] = [];
  await play({ sites, jobs: null }, (line) => tests.push(JSON.parse(line) as WorkersTest));
  if (tests.length === 0) throw new Error("No test inside workerd was heard of.");
  return tests;
}

/** Judges these sites by the tests that can notice them, the quickest first. */
export async function judgeInWorkersLane(
  sites: number,
  chosen: readonly number[],
  tests: readonly WorkersTest[],
  hear: (verdict: WorkersVerdict) => void,
): Promise<void> {
  const usable = tests
    .filter(({ ended, again }) => ended === "passed" && again === "passed")
    .map((test) => ({ ...test, bits: fromBits(test.differs) }))
    .toSorted((a, b) => a.ms - b.ms);
  const jobs = chosen.map((site) => ({
    site,
    tests: usable.filter(({ bits }) => hasBit(bits, site)).map(({ file, index }): [string, number] => [file, index]),
  }));
  const unheard = new Set(chosen);
  const told = (verdict: WorkersVerdict): void => {
    unheard.delete(verdict.site);
    hear(verdict);
  };
  for (const { site, tests: reaching } of jobs) if (reaching.length === 0) told({ site, test: null, how: "passed" });
  const reached = jobs.filter((job) => job.tests.length > 0);
  if (reached.length > 0) await play({ sites, jobs: reached }, (line) => told(JSON.parse(line) as WorkersVerdict));
  if (unheard.size > 0) throw new Error(`Nothing was heard of ${unheard.size} sites inside workerd.`);
}

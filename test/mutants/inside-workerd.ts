// Plays the tests of the workers lane inside workerd, as `player.ts` plays those of the node lane: it loads them once and breaks one operator
// after the other. Its task comes by `inject`; its findings go out as lines. The sweep of deaths takes minutes and is left out: what
// only the sweep would notice counts as unnoticed.
import fastCheck from "fast-check";
import { inject, it } from "vitest";
import { toBits } from "./bits.ts";
import { collect, startRun, type Test } from "./runner.ts";
import { breakOperators, DIFFERS, ranAway, record, stopRecording } from "./switchboard.ts";
import type { WorkersTask, WorkersTest, WorkersVerdict } from "./workers-lane.ts";

declare module "vitest" {
  interface ProvidedContext {
    mutants: WorkersTask;
  }
}

fastCheck.configureGlobal({ seed: 1, endOnFailure: true });
/** Real time passes in some of these tests, whose own waits give up after 8 s. */
const LIMIT_MS = 12_000;
const RECORDED_LIMIT_MS = 60_000;
const LIMIT_CALLS = 5_000_000;

const say = (what: WorkersTest | WorkersVerdict) => console.log(`@@${JSON.stringify(what)}`);

async function runAlone(test: Test, limitMs: number): Promise<string> {
  const run = startRun();
  const work = async () => {
    try {
      await run.run(test);
    } finally {
      await run.end();
    }
  };
  const late = new Promise<string>((resolve) => setTimeout(resolve, limitMs, "hangs"));
  const ended = await Promise.race([
    work().then(
      () => "passed",
      () => "failed",
    ),
    late,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return ranAway() ? "hangs" : ended;
}

async function recordTest(index: number, test: Test, sites: number): Promise<WorkersTest> {
  record(sites);
  const ended = await runAlone(test, RECORDED_LIMIT_MS);
  const cold = stopRecording().marks;
  record(sites);
  const since = Date.now();
  const again = await runAlone(test, RECORDED_LIMIT_MS);
  const ms = Date.now() - since;
  const warm = stopRecording().marks;
  const differs = toBits(cold.map((mark, at) => Number(mark === DIFFERS || warm[at] === DIFFERS)));
  return { file: test.file, index, name: test.name, ms, ended, again, differs };
}

async function judgeSite(site: number, tests: readonly Test[]): Promise<WorkersVerdict> {
  for (const test of tests) {
    const broken = async (numbers: number[]) => {
      breakOperators(numbers, LIMIT_CALLS);
      const ended = await runAlone(test, LIMIT_MS);
      breakOperators([]);
      return ended;
    };
    const how = await broken([site]);
    // The mutation must be the cause: the same test passes without it, and fails again with it.
    if (how !== "passed" && (await broken([])) === "passed" && (await broken([site])) !== "passed")
      return { site, test: `${test.file} > ${test.name}`, how };
  }
  return { site, test: null, how: "passed" };
}

it("plays", async () => {
  const { sites, files, jobs } = inject("mutants");
  const loaded = new Map<string, Test[]>();
  for (const file of files) loaded.set(file, await collect(file, () => import(/* @vite-ignore */ `../../${file}`)));
  if (jobs === null)
    for (const tests of loaded.values())
      for (const [index, test] of tests.entries()) say(await recordTest(index, test, sites));
  for (const { site, tests } of jobs ?? []) {
    const chosen = tests.map(([file, index]) => loaded.get(file)?.[index]).filter((test) => test !== undefined);
    say(await judgeSite(site, chosen));
  }
});

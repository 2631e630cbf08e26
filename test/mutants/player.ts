// The process that runs tests of the node lane with one operator broken: it loads the program once, with its switches, and then does what
// its parent asks. A parent that hears nothing from it ends it.
import fastCheck from "fast-check";
import { toBits } from "./bits.ts";
import { loadWithSwitches } from "./loader.ts";
import type { FromPlayer, Judge, JudgeGroup, Recorded, TestRecord, ToPlayer } from "./messages.ts";
import { askedSoFar, breakOperators, DIFFERS, ranAway, record, stopRecording, wasMet } from "./switchboard.ts";

const send = (message: FromPlayer): void => {
  process.send?.(message);
};

const { first, sites } = JSON.parse(process.argv[2] ?? "{}") as { first: [string, number][]; sites: number };
loadWithSwitches(new Map(first));
const { collect, startRun } = await import("./runner.ts");
type Test = Awaited<ReturnType<typeof collect>>[number];
// The same mutation always gets the same values, and a failing case is not shrunk.
fastCheck.configureGlobal({ seed: 1, endOnFailure: true });

/** How often the event loop is checked, and after how many idle checks a test counts as waiting for something that never comes. */
const LOOK_MS = 50;
const LOOKS = 20;
/** The time limit of a mutated test: this many times its usual time, but at least this long. */
const TIMES = 20;
const LEAST_MS = 3000;
const RECORDED_MS = 120_000;
const CALL_TIMES = 4;
const LEAST_CALLS = 2_000_000;
/** Handles that exist without any work: the channel to the parent, and the interval of `finish`. */
const OWN = new Set(["PipeWrap", "TTYWrap", "Pipe"]);

const loaded = new Map<string, Test[]>();
/** The tests that ran here without a mutation. */
const warm = new Set<Test>();
let stray: unknown;
for (const name of ["unhandledRejection", "uncaughtException"] as const)
  process.on(name, (error) => {
    stray = error ?? new Error("nothing");
  });
const exit = process.exit.bind(process);
process.exit = ((code?: number) => {
  throw new Error(`process.exit(${code})`);
}) as typeof process.exit;

async function load(file: string): Promise<Test[]> {
  const known = loaded.get(file);
  if (known) return known;
  const tests = await collect(file, () => import(`../../${file}`));
  loaded.set(file, tests);
  return tests;
}

/** Returns how the run ended: `hangs` if it waits for something that never comes, or takes too long. */
function finish(running: Promise<unknown>, limitMs: number): Promise<"passed" | "failed" | "hangs"> {
  return new Promise((resolve) => {
    const since = performance.now();
    let idle = 0;
    let asked = -1;
    const end = (how: "passed" | "failed" | "hangs") => {
      clearInterval(look);
      resolve(how);
    };
    const look = setInterval(() => {
      const others = process.getActiveResourcesInfo().filter((one) => !OWN.has(one));
      // Cryptography has no handle, but code that waits for it calls switches from time to time.
      idle = others.length <= 1 && asked === askedSoFar() ? idle + 1 : 0;
      asked = askedSoFar();
      if ((idle >= LOOKS && limitMs < RECORDED_MS) || performance.now() - since > limitMs) end("hangs");
    }, LOOK_MS);
    running.then(
      () => end("passed"),
      () => end("failed"),
    );
  });
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs one test by itself, with the hooks of its file and suites. */
async function runAlone(test: Test, limitMs: number): Promise<"passed" | "failed" | "hangs"> {
  stray = undefined;
  const run = startRun();
  const ended = await finish(
    (async () => {
      try {
        await run.run(test);
      } finally {
        await run.end();
      }
    })(),
    limitMs,
  );
  await settle();
  if (ranAway()) return "hangs";
  return ended === "passed" && stray !== undefined ? "failed" : ended;
}

/** Runs each test of a file twice without a mutation. The program keeps what only the first run reaches. */
async function recordFile(file: string): Promise<Recorded> {
  record(sites);
  const tests = await load(file);
  const atStart = stopRecording().marks;
  const once = new Uint8Array(sites);
  const reached = new Uint8Array(sites);
  for (let at = 0; at < sites; at += 1) if (atStart[at]) once[at] = reached[at] = 1;
  const records: TestRecord[] = [];
  for (const [index, test] of tests.entries()) {
    send({ type: "at", file, index });
    const [cold, warm] = [await measured(test), await measured(test)];
    const differs = new Uint8Array(sites);
    for (let at = 0; at < sites; at += 1) {
      const [before = 0, after = 0] = [cold.marks[at], warm.marks[at]];
      if (before > after) once[at] = 1;
      if (before || after) reached[at] = 1;
      if (before === DIFFERS || after === DIFFERS) differs[at] = 1;
    }
    const { name } = test;
    records.push({
      name,
      ms: warm.ms,
      calls: warm.calls,
      ended: cold.ended,
      again: warm.ended,
      differs: toBits(differs),
    });
  }
  return { file, tests: records, once: toBits(once), reached: toBits(reached) };
}

async function measured(test: Test) {
  record(sites);
  breakOperators([]);
  const since = performance.now();
  const ended = await runAlone(test, RECORDED_MS);
  const ms = Math.round((performance.now() - since) * 10) / 10;
  return { ended, ms, ...stopRecording() };
}

/** The broken operators that ran in the most recent such run. */
let met = new Set<number>();

/** Runs one test with some operators broken. */
async function runBroken(test: Test, numbers: number[], ms: number, calls: number) {
  breakOperators(numbers, LEAST_CALLS + CALL_TIMES * calls);
  const ended = await runAlone(test, Math.max(LEAST_MS, TIMES * ms));
  met = new Set(numbers.filter(wasMet));
  breakOperators([]);
  return ended;
}

/** Finds which of these operators one test notices: first all of them at once, and then by halving if it fails. */
async function judgeGroup({ test: { file, index, ms, calls }, group }: JudgeGroup): Promise<FromPlayer> {
  const test = (await load(file))[index];
  if (!test) throw new Error(`${file} has no test ${index}`);
  const noticed: number[] = [];
  const within = async (numbers: number[]): Promise<void> => {
    send({ type: "at", file, index, group: numbers });
    if ((await runBroken(test, numbers, ms, calls)) === "passed") {
      // One may have kept another from running.
      const hidden = numbers.filter((site) => !met.has(site));
      if (hidden.length > 0 && hidden.length < numbers.length) await within(hidden);
      return;
    }
    if ((await runBroken(test, [], ms, calls)) !== "passed") throw new Error(`${test.name} fails without a mutation`);
    if (numbers.length === 1) noticed.push(...numbers);
    else
      for (const half of [numbers.slice(0, numbers.length >> 1), numbers.slice(numbers.length >> 1)])
        await within(half);
  };
  if (group.length > 0) await within(group);
  return { type: "grouped", noticed };
}

/** Finds the first of the tests that notices the mutation. */
async function judge({ site, tests, fresh }: Judge): Promise<FromPlayer> {
  if (fresh) breakOperators([site], LEAST_CALLS);
  for (const [order, { file, index, ms, calls }] of tests.entries()) {
    send({ type: "at", file, index });
    const broken = (numbers: number[]) => runBroken(test, numbers, ms, calls);
    let test: Test;
    try {
      const found = (await load(file))[index];
      if (!found) throw new Error(`${file} has no test ${index}`);
      test = found;
    } catch (error) {
      if (!fresh) throw error;
      return { type: "judged", order, how: "failed", isSure: true };
    }
    // What the program keeps from its first run must not come from a broken one.
    if (!fresh && !warm.has(test) && (await broken([])) === "passed") warm.add(test);
    const how = await broken([site]);
    if (how === "passed") continue;
    if (fresh) return { type: "judged", order, how, isSure: true };
    // The mutation must be the cause: the same test passes without it, and fails again with it.
    const isSure = (await broken([])) === "passed" && (await broken([site])) !== "passed";
    return { type: "judged", order, how, isSure };
  }
  return { type: "judged", order: null, how: "passed", isSure: true };
}

process.on("message", async (message: ToPlayer) => {
  try {
    if (message.type === "record") send({ type: "recorded", recorded: await recordFile(message.file) });
    if (message.type === "judge") send(await judge(message));
    if (message.type === "group") send(await judgeGroup(message));
  } catch (error) {
    send({ type: "broken", message: String((error as Error).stack ?? error) });
  }
});
process.on("disconnect", () => exit());
send({ type: "ready" });

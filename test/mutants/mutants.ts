// `npm run mutants`: breaks one operator at a time, a sample by a seed, and sees whether the compiler or a test notices. What was found is
// kept in `.bench`, so that the same command continues after an end in between. A whole sample writes test/bench/mutants.json.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { leave, mistake, readArguments } from "../../src/playground/arguments.ts";
import { seededRandom } from "../faults/plan.ts";
import { listSources, ROOT, readSource } from "../support/source-tree.ts";
import { type Copy, makeCopy } from "./copy.ts";
import { coveringTests, importGraph } from "./covering.ts";
import { broken, describeSite, findSites, type Site } from "./sites.ts";

const USAGE = `Usage: npm run mutants [-- flags]

Breaks one operator at a time in a copy of the sources and runs what covers it; at least 95 % must be noticed. Takes an hour or two for 200.

  --count <n>  how many (200)
  --copies <n> how many copies are broken side by side (one for each core)
  --seed <n>   another seed is another sample (1)
  -h, --help   print this`;

const FOLDERS = ["src/core", "src/turn", "src/toolkit", "src/discord", "durable-objects"];
/** A script for people, which has tests of another lane. */
const LEFT_OUT = new Set(["src/discord/register.ts"]);
/** The nearest tests run first, then those a little farther away: most mutants are noticed there. */
const NEAREST = 10;
const NEAR = 40;
/** What takes longer, of one process on a core that it shares, never ends. */
const NEAREST_LIMIT_MS = 150_000;
const LANE_LIMIT_MS = 480_000;
/** Without the sweep of deaths, which takes minutes: what only the sweep would notice counts as not noticed. */
const INSIDE_WORKERD = listSources("test/workers").filter((file) => /(?<!\/crash-\d)\.test\.ts$/.test(file));
const TARGET = 0.95;
/** Characters of an end that names no test. */
const TOLD = 200;
const WHOLE_SAMPLE = 200;

/** Who noticed: the compiler, the nearest tests, the others, those inside workerd; or nobody. */
type By = "compiler" | "nearest tests" | "node lane" | "workers lane" | null;

interface Outcome {
  /** Its place in the sample. */
  number: number;
  mutation: string;
  by: By;
  /** The first test that failed, as the lane named it; `hangs` where none ended in time; nothing where the compiler noticed or nobody did. */
  test: string;
  seconds: number;
}

const flag = { type: "string" } as const;
const read = readArguments(process.argv.slice(2), USAGE, { count: flag, copies: flag, seed: flag });
if ("instead" in read) leave(read.instead);
const asNumber = (name: "count" | "copies" | "seed", usual: number): number => {
  const text = read.values[name];
  const number = text === undefined ? usual : Number(text);
  if (!Number.isInteger(number) || number < 1)
    leave(mistake(`--${name} must be a whole number above 0, not "${text}".`, USAGE));
  return number;
};
const count = asNumber("count", WHOLE_SAMPLE);
const copies = asNumber("copies", availableParallelism());
const seed = asNumber("seed", 1);

/** The sample: each site has the same chance, and a larger sample begins with the smaller one. */
function draw(): Site[] {
  const files = FOLDERS.flatMap(listSources).filter((file) => !LEFT_OUT.has(file));
  const random = seededRandom(seed);
  return files
    .flatMap((file) => findSites(file, readSource(file)))
    .map((site) => ({ site, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ site }) => site);
}

/** Who notices the broken file; the file is whole again afterwards. */
async function judge(copy: Copy, site: Site, tests: readonly string[]): Promise<Pick<Outcome, "by" | "test">> {
  const text = copy.read(site.file);
  copy.write(site.file, broken(text, site));
  try {
    if ((await copy.compile()) !== "passed") return { by: "compiler", test: "" };
    const steps = [
      { by: "nearest tests", lane: "node", files: tests.slice(0, NEAREST), limitMs: NEAREST_LIMIT_MS },
      { by: "node lane", lane: "node", files: tests.slice(NEAREST, NEAR), limitMs: LANE_LIMIT_MS },
      { by: "node lane", lane: "node", files: tests.slice(NEAR), limitMs: LANE_LIMIT_MS },
      { by: "workers lane", lane: "workers", files: INSIDE_WORKERD, limitMs: LANE_LIMIT_MS },
    ] as const;
    for (const { by, lane, files, limitMs } of steps) {
      // Without a name, all tests of the lane would run.
      if (files.length === 0) continue;
      const ended = await copy.test(lane, files, limitMs);
      if (ended === "hangs") return { by, test: "hangs" };
      if (ended === "failed")
        return { by, test: /^\s*FAIL\s+(.+)$/m.exec(copy.output())?.[1] ?? copy.output().slice(-TOLD) };
    }
    return { by: null, test: "" };
  } finally {
    copy.write(site.file, text);
  }
}

/** What an earlier run of the same sample found. Sources that have changed since are another sample. */
function resume(file: string): Outcome[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Outcome);
}

/** A mark of these sites: the same sample of the same sources has the same. */
function markOf(sites: readonly Site[]): string {
  let mark = 0;
  for (const unit of sites.map(describeSite).join()) mark = (Math.imul(mark, 31) + (unit.codePointAt(0) ?? 0)) | 0;
  return (mark >>> 0).toString(36);
}

const sites = draw();
mkdirSync(join(ROOT, ".bench"), { recursive: true });
const kept = join(ROOT, ".bench", `mutants-${seed}-${markOf(sites)}.jsonl`);
const outcomes = resume(kept);
const graph = importGraph();

/** Sees first that the tests of a copy pass as it is: one that fails anyway would notice everything. */
async function check(copy: Copy): Promise<void> {
  console.log("The tests of a copy as it is …");
  const covering = [...new Set(sites.flatMap(({ file }) => coveringTests(graph, file)))];
  const lanes = [
    () => copy.test("node", covering, LANE_LIMIT_MS),
    () => copy.test("workers", INSIDE_WORKERD, LANE_LIMIT_MS),
  ];
  for (const run of [copy.compile, ...lanes])
    if ((await run()) !== "passed") throw new Error(`The tests fail without a mutation.\n${copy.output()}`);
}

/** Judges what nobody has judged yet, one after the other. */
async function work(copy: Copy, left: { number: number; site: Site }[]): Promise<void> {
  for (let next = left.shift(); next; next = left.shift()) {
    const startedAt = Date.now();
    const { number, site } = next;
    const found = await judge(copy, site, coveringTests(graph, site.file));
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const outcome: Outcome = { number, mutation: describeSite(site), ...found, seconds };
    outcomes.push(outcome);
    appendFileSync(kept, `${JSON.stringify(outcome)}\n`);
    const what = found.by === null ? "SURVIVED" : `noticed by the ${found.by}${found.test && `: ${found.test}`}`;
    console.log(`${outcomes.length}/${sites.length} ${outcome.mutation}: ${what}, ${seconds} s`);
  }
}

const judged = new Set(outcomes.map(({ number }) => number));
const left = sites.map((site, number) => ({ number, site })).filter(({ number }) => !judged.has(number));
const made = Array.from({ length: copies }, makeCopy);
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.once(name, () => {
    for (const copy of made) copy.remove();
    process.exit(1);
  });
try {
  if (outcomes.length === 0 && made[0]) await check(made[0]);
  await Promise.all(made.map((copy) => work(copy, left)));
} finally {
  for (const copy of made) copy.remove();
}
outcomes.sort((a, b) => a.number - b.number);
const survivors = outcomes.filter(({ by }) => by === null).map(({ mutation }) => mutation);
const noticed = outcomes.length - survivors.length;
const byCompiler = outcomes.filter(({ by }) => by === "compiler").length;
for (const one of survivors) console.log(`survived: ${one}`);
console.log(
  `seed ${seed}: ${noticed} of ${outcomes.length} noticed (${((100 * noticed) / outcomes.length).toFixed(1)} %), ${byCompiler} of them by the compiler`,
);
if (count >= WHOLE_SAMPLE) {
  const at = new Date().toISOString().slice(0, 10);
  const found = { at, seed, count: outcomes.length, noticed, byCompiler, survivors };
  writeFileSync(join(ROOT, "test/bench/mutants.json"), `${JSON.stringify(found, null, 2)}\n`);
}
process.exitCode = noticed / outcomes.length < TARGET ? 1 : 0;

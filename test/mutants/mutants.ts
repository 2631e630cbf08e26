// `npm run mutants`: breaks operators, either a seeded sample or all of one place, and checks whether a test or the compiler notices. Results
// are kept in `.bench`, so that the same command continues after an interruption. A whole sample writes test/bench/mutants.json.
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { leave, mistake, readFlags } from "../../src/scripts/arguments.ts";
import { seededRandom } from "../faults/plan.ts";
import { ROOT } from "../support/source-tree.ts";
import type { Outcome } from "./outcomes.ts";
import type { Site } from "./sites.ts";

const USAGE = `Usage: npm run mutants [-- flags]

Breaks one operator at a time and runs the tests that reach it; at least 95 % must be noticed. Takes minutes for 200.

  --count <n>    how many, or all (200)
  --in <place>   only those of a folder, a file, or a line: src/core/access/judge.ts:31 (then all of them)
  --players <n>  how many processes run tests side by side (one for each core)
  --seed <n>     another seed is another sample (1)
  -h, --help     print this`;

const TARGET = 0.95;
const WHOLE_SAMPLE = 200;

const flag = { type: "string" } as const;
const values = readFlags(USAGE, { count: flag, in: flag, players: flag, seed: flag });
const asNumber = (name: "count" | "players" | "seed", usual: number): number => {
  const text = values[name];
  const number = text === undefined ? usual : Number(text);
  if (!Number.isInteger(number) || number < 1)
    leave(mistake(`--${name} must be a whole number above 0, not "${text}".`, USAGE));
  return number;
};

const seed = asNumber("seed", 1);
const players = asNumber("players", availableParallelism());
const isAll = values.count === "all" || (values.count === undefined && values.in !== undefined);
const wanted = isAll ? null : asNumber("count", WHOLE_SAMPLE);

// Loaded only now, because the usage needs none of it.
const { ROOMS, readAllSites } = await import("./all-sites.ts");
const { openOutcomes } = await import("./outcomes.ts");
const { describeSite } = await import("./sites.ts");
const { judgeSites } = await import("./stages.ts");
const all = readAllSites();
const count = wanted ?? all.sites.length;
const place = values.in ?? "";
const isThere = ({ file, line }: Site) =>
  place === "" || file === place || file.startsWith(`${place.replace(/\/$/, "")}/`) || `${file}:${line}` === place;

/** The sample: each site is equally likely, and a larger sample begins with the smaller one. */
const random = seededRandom(seed);
const drawn = all.sites
  .map((site, number) => ({ site, number, order: random() }))
  .toSorted((a, b) => a.order - b.order)
  .filter(({ site }) => isThere(site))
  .slice(0, count);
if (drawn.length === 0) leave(mistake(`There is no operator to break in "${place}".`, USAGE));

const outcomes = openOutcomes(all);
let told = 0;
const tell = ({ mutation, by, test, near }: Outcome): void => {
  told += 1;
  const what = by === null ? `SURVIVED, ${near ? `reached by ${near}` : "reached by nobody"}` : `noticed by the ${by}`;
  console.log(`${told}/${drawn.length} ${mutation}: ${what}${test && `: ${test}`}`);
};
const found = await judgeSites(
  { all, players, outcomes, tell },
  drawn.map(({ number }) => number),
).catch((error: Error) => leave({ code: 2, text: `${error.message}\n` }));

const survivors = found.filter(({ by }) => by === null);
const noticed = found.length - survivors.length;
const byCompiler = found.filter(({ by }) => by === "compiler").length;
for (const { mutation, near } of survivors) console.log(`survived: ${mutation} (${near ?? "reached by nobody"})`);
for (const room of ROOMS) {
  const inRoom = found.filter(({ number }) => all.sites[number]?.file.startsWith(`${room}/`));
  const left = inRoom.filter(({ by }) => by === null).length;
  if (inRoom.length > 0) console.log(`${room}: ${inRoom.length - left} of ${inRoom.length}`);
}
const share = `${((100 * noticed) / found.length).toFixed(1)} %`;
console.log(`seed ${seed}: ${noticed} of ${found.length} noticed (${share}), ${byCompiler} of them by the compiler`);
if (count >= WHOLE_SAMPLE && place === "") {
  const at = new Date().toISOString().slice(0, 10);
  const names = drawn.flatMap(({ site, number }) =>
    survivors.some((one) => one.number === number) ? [describeSite(site)] : [],
  );
  const kept = { at, seed, count: found.length, noticed, byCompiler, survivors: names };
  writeFileSync(join(ROOT, "test/bench/mutants.json"), `${JSON.stringify(kept, null, 2)}\n`);
}
process.exitCode = noticed / found.length < TARGET ? 1 : 0;

// `npm run bench`: every figure next to the same work by hand, in plain miniflare with the project's own workerd. Prints a table; a whole
// run also writes results.json and the first page's table. Asserts nothing, because a shared machine's times prove nothing.
import { readFileSync } from "node:fs";
import { cpus, release } from "node:os";
import { join } from "node:path";
import { leave, mistake, readArguments } from "../../src/scripts/arguments.ts";
import { ROOT } from "../support/product.ts";
import type { Effort, Figure } from "./figures.ts";
import { print, readResults, writeResults } from "./results.ts";

/** By name. Each is loaded when it is measured, because the usage needs none of them. */
const PARTS: Record<string, (effort: Effort) => Promise<Figure[]>> = {
  iteration: async (effort) => (await import("./parts/iteration.ts")).iteration(effort),
  stream: async (effort) => (await import("./parts/stream.ts")).stream(effort),
  "start-up": async (effort) => (await import("./parts/start-up.ts")).startUp(effort),
  recovery: async (effort) => (await import("./parts/recovery.ts")).recovery(effort),
  "first-text": async (effort) => (await import("./parts/first-text.ts")).firstText(effort),
  acknowledge: async (effort) => (await import("./parts/acknowledge.ts")).acknowledge(effort),
  memory: async (effort) => (await import("./parts/memory.ts")).memory(effort),
  "at-once": async (effort) => (await import("./parts/at-once.ts")).atOnce(effort),
  cost: async (effort) => (await import("./parts/cost.ts")).cost(effort),
};
const RUNS = 7;
const QUICK_RUNS = 1;
const USAGE = `Usage: npm run bench [-- the parts]

Measures Parley beside the same work by hand and prints a table. Takes about 15 minutes, on a machine that does nothing else.
The parts: ${Object.keys(PARTS).join(", ")}; without a name, all of them.
A run of all parts writes test/bench/results.json and the table in README.md.

  --quick     the smallest sizes, to see that it works; writes nothing
  --write     writes also what a run of some parts found
  -h, --help  print this`;

/** The version of an installed package. */
export const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")) as { version: string }).version;

function machine(): Record<string, string> {
  const processors = cpus();
  return {
    machine: `${processors.length} × ${processors[0]?.model.trim() ?? "unknown processor"}`,
    system: `${process.platform} ${release()}`,
    node: process.version,
    ...Object.fromEntries(["workerd", "miniflare", "wrangler"].map((name) => [name, versionOf(name)])),
  };
}

const read = readArguments(
  process.argv.slice(2),
  USAGE,
  { quick: { type: "boolean" }, write: { type: "boolean" } },
  { words: true },
);
if ("instead" in read) leave(read.instead);
const { quick: isQuick = false, write = false } = read.values;
const unknown = read.positionals.find((name) => !PARTS[name]);
if (unknown !== undefined) leave(mistake(`There is no part ${unknown}.`, USAGE));
const chosen = Object.entries(PARTS).filter(
  ([name]) => read.positionals.length === 0 || read.positionals.includes(name),
);
const { forgetBuilt } = await import("./world/subjects.ts");
const found: Figure[] = [];
try {
  for (const [name, part] of chosen) {
    console.log(`\n${name}`);
    const figures = await part({ runs: isQuick ? QUICK_RUNS : RUNS, isQuick });
    print(figures);
    found.push(...figures);
  }
} finally {
  forgetBuilt();
}
if (!isQuick && (write || read.positionals.length === 0)) {
  const before = readResults();
  const kept = before.figures.filter(({ id }) => !found.some((one) => one.id === id));
  const order = new Map([...before.figures, ...found].map(({ id }, index) => [id, index]));
  const figures = [...kept, ...found].toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  writeResults({ at: new Date().toISOString().slice(0, 10), on: machine(), figures, peers: before.peers });
  console.log("\nWritten: test/bench/results.json and README.md.");
}

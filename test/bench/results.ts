// What the benchmark found, as a file, and its table on the first page. The page shows what the file says; a test compares them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/product.ts";
import { type Figure, rounded } from "./figures.ts";

/** A peer's figure of one row, or why there is none. */
export type PeerFigure = { ok: true; value: number } | { ok: false; reason: string };

/** The peers' figures, by the row's id. */
export interface Peer {
  name: string;
  /** What was installed, each with its exact version. */
  versions: Record<string, string>;
  figures: Record<string, PeerFigure>;
}

/** Everything that is known. `at` is the date of the run, `on` the machine and the programs. */
export interface Results {
  at: string;
  on: Record<string, string>;
  figures: Figure[];
  peers: { at: string; list: Peer[] } | null;
}

const FILE = join(ROOT, "test/bench/results.json");
const PAGE = join(ROOT, "README.md");
const BEGIN = "<!-- figures: made by `npm run bench` -->";
const END = "<!-- end of figures -->";

/** Returns the file's contents, or nothing measured if there is no file. */
export function readResults(): Results {
  try {
    return JSON.parse(readFileSync(FILE, "utf8")) as Results;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return { at: "", on: {}, figures: [], peers: null };
  }
}

/** Writes the file, with the meaningful digits, and the page's table from it. */
export function writeResults(results: Results): void {
  const short = (_key: string, value: unknown) => (typeof value === "number" ? rounded(value) : value);
  writeFileSync(FILE, `${JSON.stringify(results, short, 2)}\n`);
  writeFileSync(PAGE, withTable(readFileSync(PAGE, "utf8"), readResults()));
}

/** Returns the page with its table made anew. Throws if it has no place for one. */
export function withTable(page: string, results: Results): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error(`README.md has no place for the figures: ${BEGIN} … ${END}`);
  return `${page.slice(0, from + BEGIN.length)}\n${table(results)}${page.slice(to)}`;
}

/** The rows that the first page shows; the others are only in the file. */
const SHOWN = [
  "iteration-200",
  "stream-1500",
  "start-up",
  "bundle-needed",
  "bundle",
  "recovery",
  "first-text-p50",
  "acknowledge-p50",
  "memory-turns",
  "memory",
  "at-once-lost",
  "cost",
];

/** The table of the first page; empty if nothing has been measured yet. */
export function table({ at, on, figures, peers }: Results): string {
  const shown = figures.filter(({ id }) => SHOWN.includes(id));
  if (shown.length === 0) return "";
  const best = ({ id, unit }: Figure) => {
    const known = (peers?.list ?? []).flatMap(({ name, figures: all }) => {
      const one = all[id];
      return one?.ok ? [{ name, value: one.value }] : [];
    });
    const [first] = known.toSorted((a, b) => a.value - b.value);
    return first ? `${first.name} ${withUnit(first.value, unit)}` : "–";
  };
  const rows = shown.map((one) => {
    const floor = one.floor === null ? "–" : withUnit(one.floor, one.unit);
    return `| ${one.what} | ${withUnit(one.parley, one.unit)} | ${floor} | ${best(one)} |`;
  });
  const head = ["| | Parley | by hand | best peer |", "|---|---|---|---|"];
  // A shared machine is faster on some days than on others.
  const then = peers && peers.at !== at ? `; the peers ${peers.at}` : "";
  return `${[...head, ...rows].join("\n")}\n\n${at}, ${on.machine ?? ""}, workerd ${on.workerd ?? ""}${then}.\n`;
}

const withUnit = (value: number, unit: string) =>
  unit === "$" ? `$${value.toFixed(2)}` : `${rounded(value)}${unit === "" ? "" : ` ${unit}`}`;

/** Prints every row, for the person who ran it. */
export function print(figures: readonly Figure[]): void {
  for (const { what, unit, parley, floor, target, note } of figures) {
    const beside = floor === null ? "" : `, by hand ${withUnit(floor, unit)} (× ${(parley / floor).toFixed(2)})`;
    console.log(`${what}: ${withUnit(parley, unit)}${beside}; target ${target}; ${note}`);
  }
}

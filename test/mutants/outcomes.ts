// What was found for each site, kept in `.bench` so that a run continues where it was. A site that a test noticed stays noticed until that
// test, or what it imports, changes; one that nobody noticed is judged again once a test has changed.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listSources, ROOT, readSource } from "../support/source-tree.ts";
import type { AllSites } from "./all-sites.ts";

/** Who noticed: a test of the node lane, the compiler, a test inside workerd, or nobody. */
export type By = "node lane" | "compiler" | "workers lane" | null;

/** What was found for a site. */
export interface Outcome {
  number: number;
  mutation: string;
  by: By;
  /** The test that noticed, with its ending in brackets if it did not fail; empty if none did. */
  test: string;
  /** The nearest test file that reaches the site, or null if none does. */
  near: string | null;
}

interface Kept extends Outcome {
  /** A hash of the files on which this outcome depends. */
  rests: string;
}

/** The outcomes for these sources. */
export function openOutcomes({ mark }: AllSites) {
  const path = join(ROOT, ".bench", `mutants-${mark}`, "outcomes.jsonl");
  const hash = createHash("sha256");
  for (const file of [...listSources("test"), ...listSources("src")].toSorted())
    hash.update(`${file}\0${readSource(file)}\0`);
  const everything = hash.digest("hex").slice(0, 16);
  const restsOn = (outcome: Outcome, markOf: (file: string) => string): string => {
    const [file = ""] = outcome.test.split(" > ");
    return outcome.by === "node lane" ? markOf(file) : outcome.by === "compiler" ? mark : everything;
  };
  return {
    /** The outcomes that are still valid; `markOf` gives the hash of a test file and of what it imports. */
    read(markOf: (file: string) => string): Map<number, Outcome> {
      const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
      const found = new Map<number, Outcome>();
      for (const line of lines) {
        const { rests, ...outcome } = JSON.parse(line) as Kept;
        if (rests === restsOn(outcome, markOf)) found.set(outcome.number, outcome);
      }
      return found;
    },
    add(outcome: Outcome, markOf: (file: string) => string): void {
      mkdirSync(dirname(path), { recursive: true });
      const kept: Kept = { ...outcome, rests: restsOn(outcome, markOf) };
      appendFileSync(path, `${JSON.stringify(kept)}\n`);
    },
  };
}

export type Outcomes = ReturnType<typeof openOutcomes>;

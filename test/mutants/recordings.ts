// What the tests reach, kept in `.bench` until they, or anything that they import, change.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, readSource } from "../support/source-tree.ts";
import type { AllSites } from "./all-sites.ts";
import type { Recorded } from "./messages.ts";
import type { Player } from "./players.ts";
import { recordWorkersLane, type WorkersTest } from "./workers-lane.ts";

/** A hash of a file and of everything that it imports. */
export function markOfClosure(graph: ReadonlyMap<string, readonly string[]>, file: string): string {
  const seen = new Set([file]);
  for (const one of seen) for (const to of graph.get(one) ?? []) seen.add(to);
  const hash = createHash("sha256");
  for (const one of [...seen].toSorted()) hash.update(`${one}\0${readSource(one)}\0`);
  return hash.digest("hex").slice(0, 16);
}

/** Returns what was recorded under this name, or records it now. */
async function kept<Recording>(sites: AllSites, name: string, record: () => Promise<Recording>): Promise<Recording> {
  const folder = join(ROOT, ".bench", `mutants-${sites.mark}`);
  const path = join(folder, `${name.replaceAll("/", "+")}.json`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as Recording;
  const recorded = await record();
  mkdirSync(folder, { recursive: true });
  // Another run may read it in the meantime.
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(recorded));
  renameSync(`${path}.${process.pid}`, path);
  return recorded;
}

/** The recording of a test file with this hash. */
export const recordingOf = (sites: AllSites, mark: string, file: string, player: Player): Promise<Recorded> =>
  kept(sites, `${file}-${mark}`, () => player.record(file));

/** The recording of the workers lane, whose files have these hashes. */
export function workersRecording(sites: AllSites, marks: readonly string[]): Promise<WorkersTest[]> {
  const mark = createHash("sha256").update(marks.join()).digest("hex").slice(0, 16);
  return kept(sites, `inside-workerd-${mark}`, () => recordWorkersLane(sites.sites.length));
}

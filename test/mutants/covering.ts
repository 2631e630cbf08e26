// Which tests run a source file, by imports: the nearest first, because a test that is written for the file notices soonest.
import { basename, dirname } from "node:path";
import { listSources, readImports } from "../support/source-tree.ts";

/** The lanes other than the node lane, as vitest.config.ts separates them. */
const OTHER_LANES = /^test\/(workers|crash|faults|e2e|slow|bench)\//;

/** The files that each file imports, without type imports, which leave nothing to run. */
export function importGraph(): Map<string, string[]> {
  const files = ["src", "durable-objects", "test"].flatMap(listSources);
  const known = new Set(files);
  return new Map(
    files.map((file) => [
      file,
      readImports(file).flatMap(({ to, isType }) => (!isType && known.has(`${to}.ts`) ? [`${to}.ts`] : [])),
    ]),
  );
}

/** The test files of the node lane that reach this file: the one with its name first, then those in its folder's mirror, then by distance. */
export function coveringTests(graph: ReadonlyMap<string, readonly string[]>, file: string): string[] {
  const importers = new Map<string, string[]>();
  for (const [from, targets] of graph)
    for (const to of targets) importers.set(to, [...(importers.get(to) ?? []), from]);
  const distance = new Map([[file, 0]]);
  const queue = [file];
  for (const one of queue)
    for (const from of importers.get(one) ?? [])
      if (!distance.has(from)) {
        distance.set(from, (distance.get(one) ?? 0) + 1);
        queue.push(from);
      }
  const mirror = `test/${dirname(file).replace(/^src\//, "")}`;
  const own = `${mirror}/${basename(file, ".ts")}.test.ts`;
  const nearness = (one: string) => (one === own ? 2 : Number(dirname(one) === mirror));
  // The queue is in order of distance, and the sort keeps the order of equals.
  return queue
    .filter((one) => one.endsWith(".test.ts") && !OTHER_LANES.test(one))
    .toSorted((a, b) => nearness(b) - nearness(a));
}

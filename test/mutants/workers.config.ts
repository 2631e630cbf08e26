// The workers lane for a mutation run: one test file that plays the others, inside workerd, with switches in the rooms' files.
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { ROOT } from "../support/source-tree.ts";
import lanes from "../vitest.config.ts";
import { readAllSites } from "./all-sites.ts";
import { withSwitches } from "./switches.ts";

const { first } = readAllSites();
const here = import.meta.dirname;

const switches = {
  name: "switches",
  enforce: "pre" as const,
  resolveId: (source: string, importer: string | undefined) =>
    source === "vitest" && importer !== undefined && /\/test\/(workers|support)\//.test(importer)
      ? `${here}/runner.ts`
      : null,
  transform(code: string, id: string) {
    const file = relative(ROOT, id.split("?")[0] ?? "");
    const number = first.get(file);
    if (number === undefined) return null;
    const asked = `import { SWITCHES as __m } from "${here}/switchboard.ts";`;
    return { code: `${asked}${withSwitches(file, code, number)}`, map: null };
  },
};

const workers = (lanes.test?.projects ?? []).find(
  (one) => typeof one === "object" && "test" in one && one.test?.name === "workers",
);
if (typeof workers !== "object" || !("test" in workers)) throw new Error("no workers lane");

export default defineConfig({
  root: ROOT,
  test: {
    projects: [
      {
        ...workers,
        plugins: [switches, ...(workers.plugins ?? [])],
        test: { ...workers.test, include: ["test/mutants/inside-workerd.ts"], testTimeout: 3_600_000, maxWorkers: 1 },
      },
    ],
  },
});

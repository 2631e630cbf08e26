// Setup of the e2e lane: builds the Workers for all its tests once, as a deploy builds them. Tests get them through `inject`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildModules } from "../../src/setup/modules.ts";
import { ROOT } from "./product.ts";

/** The main files of the Workers by name, as paths from the repository's root. `withTestTools`: see `e2e-worker.ts`. */
const MAINS = { production: "src/index.ts", withTestTools: "test/support/e2e-worker.ts" };

/** A built Worker. */
export type Built = keyof typeof MAINS;

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of each Worker's modules. */
    modules: Record<Built, string>;
  }
}

/** Builds both, and removes them when the lane ends. Rejects if the source can't be built. */
export default async function buildOnce(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "parley-built-"));
  const to = { production: join(folder, "production"), withTestTools: join(folder, "with-test-tools") };
  for (const name of Object.keys(MAINS) as Built[]) await buildModules(ROOT, to[name], MAINS[name]);
  project.provide("modules", to);
  return () => rm(folder, { recursive: true, force: true });
}

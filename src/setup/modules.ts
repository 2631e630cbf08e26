// Builds the Worker as modules: what answering and a turn need is read at the start, and each `import()` in the source begins another
// module, which a Worker reads when it is first used. Wrangler alone makes one file of everything. Run by the configuration that the
// deploy writes.
import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";

/** The folder of the modules, seen from the repository's root, and the first of them. */
export const MODULES = ".wrangler/modules";
export const MAIN_MODULE = "index.js";

/** One module that was built. */
export interface BuiltModule {
  /** Its file in the folder of the modules. */
  name: string;
  /** The modules that are read together with it. Others are read by an `import()`. */
  imports: string[];
  /** The files that it was made of, seen from the repository's root. */
  sources: string[];
}

/**
 * Builds the modules of the checkout at `root` into a folder, which is emptied first. Rejects where the source can't be built. `main`: a
 * Worker around the product's, in the same form.
 */
export async function buildModules(root: string, dir: string, main = "src/index.ts"): Promise<BuiltModule[]> {
  await rm(dir, { recursive: true, force: true });
  const built = await rolldown({
    cwd: root,
    input: { index: join(root, main) },
    platform: "neutral",
    external: [/^cloudflare:/, /^node:/],
    // As wrangler finds packages for a Worker.
    resolve: { conditionNames: ["workerd", "worker", "browser"], mainFields: ["browser", "module", "main"] },
    transform: { target: "es2024" },
    optimization: { inlineConst: { mode: "all", pass: 3 } },
    logLevel: "warn",
  });
  const { output } = await built.write({ dir, format: "esm", minify: true, entryFileNames: MAIN_MODULE });
  await built.close();
  return output.flatMap((one) =>
    one.type === "chunk"
      ? [{ name: one.fileName, imports: one.imports, sources: one.moduleIds.map((path) => relative(root, path)) }]
      : [],
  );
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  await buildModules(root, join(root, MODULES));
}

// Builds the Worker as modules: what answering and a turn need is one, and each `import()` in the source begins another, which a Worker
// reads when it is first used. Wrangler alone makes one file of everything. Run by the configuration that the deploy writes.
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Metafile } from "esbuild";

/** The folder of the modules, seen from the repository's root, and the first of them. */
export const MODULES = ".wrangler/modules";
export const MAIN_MODULE = "index.js";

/**
 * Builds the modules of the checkout at `root` into a folder, which is emptied first. Returns what esbuild says about them. Rejects where
 * the source can't be built. `main`: a Worker around the product's, in the same form.
 */
export async function buildModules(root: string, outdir: string, main = "src/index.ts"): Promise<Metafile> {
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: join(root, main), out: MAIN_MODULE.replace(/\.js$/, "") }],
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2024",
    // As wrangler finds packages for a Worker.
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    external: ["cloudflare:*", "node:*"],
    minify: true,
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  await buildModules(root, join(root, MODULES));
}

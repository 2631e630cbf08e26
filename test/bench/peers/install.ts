// Installs the peers into `.bench/peers`, which git ignores, and builds their Workers as a deploy would: one minified module.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ROOT } from "../../support/product.ts";
import { PACKAGES } from "./list.ts";

const FOLDER = join(ROOT, ".bench/peers");
const MODULES = join(FOLDER, "node_modules");

/** Installs what is not there yet. Runs no package's scripts. Throws if the registry doesn't have what the list names. */
export function installPeers(): void {
  mkdirSync(FOLDER, { recursive: true });
  const isThere = ([name, version]: [string, string]) => {
    const file = join(MODULES, name, "package.json");
    return existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version === version;
  };
  if (Object.entries(PACKAGES).every(isThere)) return;
  const manifest = { name: "bench-peers", private: true, type: "module", dependencies: PACKAGES };
  writeFileSync(join(FOLDER, "package.json"), JSON.stringify(manifest, null, 2));
  // The peers' own peer dependencies, such as browser libraries, are of no use here.
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  execFileSync("npm", ["install", ...flags], { cwd: FOLDER, stdio: ["ignore", "ignore", "inherit"] });
}

/** A peer's built Worker. */
export interface BuiltPeer {
  folder: string;
  gzipBytes: number;
}

/** Builds a peer's Worker. Rejects with the bundler's reason. */
export async function buildPeer(worker: string): Promise<BuiltPeer> {
  const folder = join(FOLDER, "built", worker);
  const outfile = join(folder, "index.js");
  const builtins = new Set(builtinModules);
  await build({
    entryPoints: [join(import.meta.dirname, "workers", worker)],
    outfile,
    ...{ bundle: true, minify: true, format: "esm", target: "es2024", logLevel: "silent" },
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    nodePaths: [MODULES],
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire("file:///worker.js");',
    },
    plugins: [
      {
        name: "what workerd brings",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[a-z][a-z/_:-]*$/ }, ({ path, kind }) => {
            if (kind === "entry-point") return null;
            if (/^(node|cloudflare):/.test(path)) return { path, external: true };
            return builtins.has(path) ? { path: `node:${path}`, external: true } : null;
          }),
      },
    ],
  });
  if (!statSync(outfile).isFile()) throw new Error("nothing was built");
  return { folder, gzipBytes: gzipSync(readFileSync(outfile)).length };
}

/** A script that runs in Node with the peers' packages. It is bundled, because it is not where they are. */
export async function buildScript(name: string): Promise<string> {
  const outfile = join(FOLDER, "built", name);
  await build({
    entryPoints: [join(import.meta.dirname, name)],
    outfile,
    ...{ bundle: true, platform: "node", format: "esm", target: "node22", logLevel: "silent" },
    nodePaths: [MODULES],
    // It must resolve from here what it doesn't bundle.
    packages: "external",
  });
  return outfile;
}

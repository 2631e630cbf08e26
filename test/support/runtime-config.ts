// The configuration of the lanes inside workerd: wrangler.toml, but with Node's API, which vitest needs there. The lanes that run what is
// deployed do without it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deriveConfig } from "../../src/playground/derive.ts";

const NO_NODE = /, "no_nodejs_\w+"/g;

/** Writes it into the folder of what is built, and returns its path. May run several times at once. */
export function writeRuntimeConfig(root: string): string {
  const text = readFileSync(join(root, "wrangler.toml"), "utf8");
  const folder = join(root, ".wrangler");
  const path = join(folder, "runtime-lanes.toml");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path,
    deriveConfig(text.replace(NO_NODE, ""), (from) => join(root, from), {}),
  );
  return path;
}

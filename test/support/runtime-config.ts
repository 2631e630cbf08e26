// The configuration of the lanes inside workerd: wrangler.toml with Node's API added, which vitest needs there. The lanes that run what is
// deployed don't have it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deriveConfig } from "../../src/playground/derive.ts";

const NO_NODE = /, "no_nodejs_\w+"/g;

/** Writes it into the build folder and returns its path. May run several times at once. */
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

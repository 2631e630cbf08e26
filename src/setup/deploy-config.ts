// Writes the configuration for a deploy: the same Worker built as modules, with the Workers AI binding if it is needed. The file is next to
// the production configuration, so that the same paths work. It is rewritten each time and is not part of the repository.
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { WorkerFacts } from "./facts.ts";
import { isFull } from "./full-disk.ts";
import { MAIN_MODULE, MODULES } from "./modules.ts";

/** The file's name, at the repository's root. */
const DEPLOY_CONFIG = "wrangler.deploy.toml";

const MAIN = 'main = "src/index.ts"\n';

/**
 * Adapts the text of the production configuration to modules that were built into `folder`, a path relative to the configuration. Throws if
 * the configuration has a different main file.
 */
export function withModules(given: string, folder: string): string {
  // Git on Windows may use its own line endings.
  const text = given.replaceAll("\r\n", "\n");
  if (!text.includes(MAIN)) throw new Error(`wrangler.toml has no line ${MAIN.trim()}`);
  const lines = [
    `main = "${folder}/${MAIN_MODULE}"`,
    `base_dir = "${folder}"`,
    "no_bundle = true",
    "find_additional_modules = true",
    'rules = [{ type = "ESModule", globs = ["**/*.js"] }]',
  ];
  return text.replace(MAIN, `${lines.join("\n")}\n`);
}

/**
 * Whether a Worker that has this needs the Workers AI binding. Without a key, Workers AI is the model. An existing binding stays: a model
 * besides the one with the key may use Workers AI, and so may one that was added later.
 */
export function needsAi({ names, hasAi }: WorkerFacts): boolean {
  const has = (name: string) => names.includes(name);
  const mayUseIt = ["MODELS", "TRANSCRIBE_MODEL", "IMAGE_MODEL"].some(has);
  return hasAi || (has("OPENAI_API_KEY") ? mayUseIt : !has("MODELS"));
}

/**
 * Returns the file's path if it can't be written because the folder or the file belongs to somebody else; otherwise null. It opens the file
 * to find out, because permissions alone don't show it; the content stays. The next write detects a full disk.
 */
export function findUnwritable(root: string, open = openSync): string | null {
  const path = join(root, DEPLOY_CONFIG);
  try {
    closeSync(open(path, "a"));
    return null;
  } catch (error) {
    return isFull(error) ? null : path;
  }
}

/** Writes the file and returns its path. The production configuration has no AI binding, because `wrangler dev` would need an account for it. */
export function writeDeployConfig(root: string, withAi: boolean): string {
  const text = withModules(readFileSync(join(root, "wrangler.toml"), "utf8"), MODULES);
  // Wrangler runs this before it reads the main file, and again when a source file changes under `wrangler dev`.
  const command = JSON.stringify(`"${process.execPath}" src/setup/modules.ts`);
  const build = `\n[build]\ncommand = ${command}\nwatch_dir = ["src", "durable-objects"]\n`;
  const ai = withAi ? '\n[ai]\nbinding = "AI"\n' : "";
  const path = join(root, DEPLOY_CONFIG);
  writeFileSync(path, `# Written by the deploy: wrangler.toml, built as modules.\n${text}${build}${ai}`);
  return path;
}

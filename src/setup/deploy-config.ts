// Writes the configuration of a deploy beside the production configuration, so that its paths hold: the same Worker built as modules, and
// the binding of Workers AI where it is needed. It is written anew each time and is not part of the repository.
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { WorkerFacts } from "./facts.ts";
import { isFull } from "./full-disk.ts";
import { MAIN_MODULE, MODULES } from "./modules.ts";

/** The file's name, at the repository's root. */
const DEPLOY_CONFIG = "wrangler.deploy.toml";

const MAIN = 'main = "src/index.ts"\n';

/** The text of the production configuration for modules that were built into a folder, seen from the configuration's. Throws where its main file is another. */
export function withModules(given: string, folder: string): string {
  // Git on Windows may end lines in its own way.
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
 * Does a Worker that has this need the binding of Workers AI? Without a key it is the model. One that is there stays, because a model
 * beside the one with the key may be of Workers AI; so may one that was set since.
 */
export function needsAi({ names, hasAi }: WorkerFacts): boolean {
  const has = (name: string) => names.includes(name);
  const mayUseIt = ["MODELS", "TRANSCRIBE_MODEL", "IMAGE_MODEL"].some(has);
  return hasAi || (has("OPENAI_API_KEY") ? mayUseIt : !has("MODELS"));
}

/**
 * The file's path where it can't be written, because the folder or the file is another person's; else null. It is tried: rights alone do
 * not tell. What is in it stays. A disk without room is found by what is written next.
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

/** Returns the file's path. The AI binding is not in the production configuration, because `wrangler dev` with it needs an account. */
export function writeDeployConfig(root: string, withAi: boolean): string {
  const text = withModules(readFileSync(join(root, "wrangler.toml"), "utf8"), MODULES);
  // Wrangler runs it before it reads the main file, and again when a source changes under `wrangler dev`.
  const command = JSON.stringify(`"${process.execPath}" src/setup/modules.ts`);
  const build = `\n[build]\ncommand = ${command}\nwatch_dir = ["src", "durable-objects"]\n`;
  const ai = withAi ? '\n[ai]\nbinding = "AI"\n' : "";
  const path = join(root, DEPLOY_CONFIG);
  writeFileSync(path, `# Written by the deploy: wrangler.toml, built as modules.\n${text}${build}${ai}`);
  return path;
}

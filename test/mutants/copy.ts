// A copy of the repository in which files can be broken, and the compiler that may notice it. The repository itself is not touched.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "../support/source-tree.ts";
import type { Compiled } from "./compile.ts";

/** The copy. */
export interface Copy extends Compiled {
  remove(): void;
}

/** Copies the files that git knows, and new ones that it doesn't ignore. */
export function makeCopy(): Copy {
  const folder = mkdtempSync(join(tmpdir(), "parley-mutants-"));
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" });
  for (const file of listed.split("\0").filter((one) => one !== "" && one !== "node_modules")) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file), { force: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return {
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write: (file, text) => writeFileSync(join(folder, file), text),
    errors: () => compile(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The files with an error, among everything that the product consists of. */
async function compile(cwd: string): Promise<ReadonlySet<string>> {
  const child = spawn(process.execPath, ["node_modules/typescript/bin/tsc", "-p", ".", "--pretty", "false"], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  const errors = new Set([...output.matchAll(/^([^\s(]+)\(\d+,\d+\): error/gm)].map(([, file = ""]) => file));
  if (code !== 0 && errors.size === 0) throw new Error(`The compiler could not run: ${output}`);
  return errors;
}

// A copy of the repository in which one file at a time is broken, and the programs that may notice it. The repository itself is not touched.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "../support/source-tree.ts";

/** How a program ended: well, badly, or not at all in its time. */
export type Ended = "passed" | "failed" | "hangs";

/** The copy. */
export interface Copy {
  read(file: string): string;
  write(file: string, text: string): void;
  /** The compiler over everything that the product consists of. */
  compile(): Promise<Ended>;
  /** These tests of one lane, until the first that fails. */
  test(lane: "node" | "workers", files: readonly string[], limitMs: number): Promise<Ended>;
  /** The end of what the last program wrote. */
  output(): string;
  /** Ends what still runs in it, and removes it. */
  remove(): void;
}

const COMPILE_LIMIT_MS = 120_000;
const KEPT_CHARACTERS = 8000;

/** Copies what git knows, and files that it doesn't yet ignore. */
export function makeCopy(): Copy {
  const folder = mkdtempSync(join(tmpdir(), "parley-mutants-"));
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" });
  for (const file of listed.split("\0").filter((one) => one !== "" && one !== "node_modules")) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file), { force: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  let written = "";
  let end = () => {};
  const run = async (args: string[], limitMs: number) => {
    const program = runProgram(folder, args, limitMs);
    end = program.end;
    const { ended, output } = await program.over;
    written = output;
    return ended;
  };
  return {
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write: (file, text) => writeFileSync(join(folder, file), text),
    compile: () => run(["node_modules/typescript/bin/tsc", "-p", "."], COMPILE_LIMIT_MS),
    test(lane, files, limitMs) {
      const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "--project", lane];
      // One process, because the other copies have the other cores.
      return run([...vitest, "--bail", "1", "--maxWorkers", "1", ...files], limitMs);
    },
    output: () => written,
    remove() {
      end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a program of Node in a process group of its own. `end` ends all of it, which also comes when its time is over. */
function runProgram(cwd: string, args: string[], limitMs: number) {
  const env = { ...process.env, CI: "1", NO_COLOR: "1" };
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true, env });
  let output = "";
  const hear = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-KEPT_CHARACTERS);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const end = () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // Nothing of it is left.
    }
  };
  const over = new Promise<{ ended: Ended; output: string }>((resolve) => {
    const timer = setTimeout(() => {
      resolve({ ended: "hangs", output });
      end();
    }, limitMs);
    child.once("exit", (code) => {
      clearTimeout(timer);
      resolve({ ended: code === 0 ? "passed" : "failed", output });
      end();
    });
  });
  return { over, end };
}

// `npm run crash`, `faults`, `kill9`, `bench:stop` and `bench:inspect`: prints their usage, or runs vitest over one lane. The first argument names
// the script; all others except `--help` go to vitest.
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { leave } from "../../src/scripts/arguments.ts";

const ROOT = join(import.meta.dirname, "../..");

/** What each runs, and its arguments for vitest. */
const SCRIPTS: Readonly<Record<string, { does: string; args: readonly string[] }>> = {
  crash: {
    does: "Ends an object's life at every point of every scenario, and at pairs of them, and checks what is left. Takes many minutes.",
    args: ["crash"],
  },
  faults: {
    does: "Breaks every call of every port in every way, one at a time and in pairs, and checks what a person sees. Takes many minutes.",
    args: ["faults"],
  },
  kill9: {
    does: "Kills the whole runtime at named points, restarts it, and checks what is left. Takes minutes.",
    args: ["slow", "test/slow/kill9"],
  },
  "bench:stop": {
    does: "Prints the time from a signed click on Stop to the model's closed socket.",
    args: ["bench", "test/bench/stop.test.ts"],
  },
  "bench:inspect": {
    does: "Prints what the inspector's questions cost an object that has 5,000 turns.",
    args: ["bench", "test/bench/inspect.test.ts"],
  },
};

const [name = "", ...rest] = process.argv.slice(2);
const script = SCRIPTS[name];
if (!script) throw new Error(`no script ${name}`);
if (rest.some((word) => word === "--help" || word === "-h"))
  leave({
    code: 0,
    text: `Usage: npm run ${name} [-- arguments for vitest]\n\n${script.does}\n\n  -t <text>   only the tests with this in their names\n  -h, --help  print this\n`,
  });

const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
const args = [vitest, "run", "--config", "test/vitest.config.ts", "--project", ...script.args, ...rest];
const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
// Ctrl-C reaches vitest directly, which then ends by itself.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill());
child.once("close", (code) => {
  process.exitCode = code ?? 1;
});

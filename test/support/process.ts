// Runs a script of package.json as a person would, and returns its output.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT } from "./product.ts";

/** How a script ended. */
export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/**
 * Runs `npm run --silent <script> -- <args>`. `env` is added to this process's own; an empty text counts as unset. When the script has printed
 * `last`, only npm gets a signal to end, not what it started.
 */
export function runScript(
  script: string,
  args: string[],
  env: Record<string, string> = {},
  last?: string,
): Promise<Ran> {
  const npm = spawn("npm", ["run", "--silent", script, "--", ...args], asHere(env));
  if (last !== undefined)
    npm.stdout.on("data", (chunk: Buffer) => {
      if (chunk.includes(last)) npm.kill("SIGTERM");
    });
  // Once nothing keeps its output open, whatever it started has ended too.
  return ended(npm);
}

/** Runs the same without npm, which takes longer to start than most scripts take in total. */
export const runCommand = (script: string, args: string[], env: Record<string, string> = {}): Promise<Ran> =>
  runLine(script, '"$@"', args, env);

/** The same if nobody reads its output: `err` has what it says about that. */
export const runUnread = (script: string, args: string[]): Promise<Ran> => runLine(script, '"$@" | true', args, {});

function runLine(script: string, rest: string, args: string[], env: Record<string, string>): Promise<Ran> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const command = scripts[script];
  if (command === undefined) throw new Error(`package.json has no script ${script}`);
  const PATH = [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter);
  return ended(spawn("sh", ["-c", `${command} ${rest}`, script, ...args], asHere({ ...env, PATH })));
}

const asHere = (env: Record<string, string>) => ({
  cwd: ROOT,
  stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"],
  env: { ...process.env, ...env },
});

function ended(child: ChildProcess): Promise<Ran> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done({ code, out, err }));
  });
}

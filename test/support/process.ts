// Runs a script of package.json as a person would, and returns its output.
import { spawn } from "node:child_process";
import { ROOT } from "./product.ts";

/** How a script ended. */
export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `npm run --silent <script> -- <args>`. `env` is added to this process's own; an empty text counts as unset. */
export function runScript(script: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn("npm", ["run", "--silent", script, "--", ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((ended, failed) => {
    child.once("error", failed);
    child.once("close", (code) => ended({ code, out, err }));
  });
}

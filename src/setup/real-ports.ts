// The real ports of setup, doctor and deploy: wrangler as a process, the network, the clock, the browser, `.dev.vars`.
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { claimFolder } from "../playground/claim.ts";
import { isUtf16, readVariables } from "../scripts/dev-vars.ts";
import { isForLocalDiscord } from "./doctor-facts.ts";
import type { Ended, RunWrangler, SetupPorts, Terminal } from "./ports.ts";

/** The repository's root. */
const ROOT = resolve(import.meta.dirname, "../..");

/** By default Node waits five minutes, while nothing moves on the screen. A model's first word may take most of a minute. */
const SEND_LIMIT_MS = 60_000;

/** Opens the ports of this process. */
export const openPorts = (terminal: Terminal): SetupPorts => ({
  send: (url, init) => fetch(url, { signal: AbortSignal.timeout(SEND_LIMIT_MS), ...init }),
  runWrangler,
  terminal,
  clock: { now: () => Date.now(), sleep: (ms) => sleep(ms) },
  claimFiles,
  openBrowser,
  variables: { DISCORD_BOT_TOKEN: tokenIn(readDevVars()), ...readEnvironment() },
  tempFolder: tmpdir(),
  root: ROOT,
});

/** Reads the variables of `.dev.vars`; empty if there is no such file. */
export const readDevVars = (): Record<string, string | undefined> => readVariables(join(ROOT, ".dev.vars"));

/** Whether that file is in UTF-16, which wrangler can't read. */
export const hasUtf16DevVars = (): boolean => isUtf16(join(ROOT, ".dev.vars"));

/** Returns the token of a `.dev.vars`, unless the file is for a Discord on this machine. A deployed Worker uses nothing else from it. */
export const tokenIn = (file: Readonly<Record<string, string | undefined>>): string | undefined =>
  isForLocalDiscord(file) ? undefined : file.DISCORD_BOT_TOKEN || undefined;

/** Spaces around a value are ignored, as in the Worker; an empty variable counts as unset. */
const readEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );

/** If nothing can be written here, this succeeds anyway: the build then fails and says so. */
function claimFiles(): (() => void) | null {
  const folder = join(ROOT, ".wrangler/deploy");
  try {
    return claimFolder(folder);
  } catch {
    return () => {};
  }
}

/** Makes Ctrl-C and similar signals exit the process normally, so that the folder with secrets is removed. Wrangler gets the signal itself. */
export function endOnSignals(): void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, code] of Object.entries(codes)) process.once(signal, () => process.exit(code));
}

/** Runs wrangler's own file rather than npx, because Windows does not start a `.cmd` without a shell. A test may replace it. */
const runWrangler: RunWrangler = (args, { env = {}, input, isShown = false } = {}) => {
  const wrangler = process.env.PARLEY_WRANGLER ?? join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const child = spawn(process.execPath, [wrangler, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: isShown ? "inherit" : ["pipe", "pipe", "pipe"],
  });
  const endChild = () => void child.kill();
  process.once("exit", endChild);
  const ended: Ended = { code: 1, stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    ended.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    ended.stderr += text;
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(input ?? "");
  return new Promise((done) => {
    const finish = (code: number | null, stderr = "") => {
      process.removeListener("exit", endChild);
      done({ ...ended, code: code ?? 1, stderr: ended.stderr + stderr });
    };
    child.once("error", (error) => finish(1, error.message));
    child.once("close", (code) => finish(code));
  });
};

/** Fails silently: the link is on the screen, too. */
async function openBrowser(url: string): Promise<void> {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  if (command === undefined) return;
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.once("error", () => {});
  child.unref();
}

// Harness of the e2e and slow lanes: the product as a stranger runs it. One `wrangler dev` in a process group of its own, over a
// copied configuration with a `.dev.vars` next to it, in a temporary folder for its state. It can be killed without notice and
// started again on that state. Ends only what it started; at the repository's root it reads only the configuration and writes
// nothing. Use it with e2e-harness if wrangler matters; deployed.ts starts the product without it, in a small part of the time.
import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deriveConfig } from "../../src/playground/derive.ts";
import { freePort } from "../../src/playground/port.ts";
import { killWithUs } from "../../src/playground/process-group.ts";
import { withModules } from "../../src/setup/deploy-config.ts";

/** The repository's root. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** The production configuration, as a path from the root. */
export const PRODUCTION = "wrangler.toml";
/** The configuration with the test's extra tools. */
export const WITH_TEST_TOOLS = "test/support/e2e.toml";

/** A product that is running or has run. `url` stays the same over its lives. */
export interface Product {
  url: string;
  /** When the current life reported that it was ready; epoch milliseconds. */
  readyAt(): number;
  /** Ends all of its processes at once with SIGKILL, as a power cut does. */
  killNine(): Promise<void>;
  /** Starts it again on the stored state. Sends no request. */
  restart(): Promise<void>;
  /** Ends it for good and removes its folder. */
  stop(): Promise<void>;
  /** All output of its lives. */
  logs(): string;
}

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 5_000;
const POLL_MS = 20;

interface Life {
  child: ChildProcess;
  readyAt: number;
}

/** What to start. `modules`: the folder of its built modules, as they are deployed. `root`: a checkout other than this one. */
interface Start {
  config: string;
  devVars: string;
  modules?: string;
  root?: string;
}

/** Starts the product with this `.dev.vars`. Resolves when it listens, without having sent it a request. */
export async function startProduct({ config, devVars, modules, root = ROOT }: Start): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), "parley-product-"));
  const from = join(root, config);
  const to = join(folder, "wrangler.toml");
  const move = (path: string) => relative(folder, resolve(dirname(from), path));
  const text = await readFile(from, "utf8");
  if (modules) await cp(modules, join(folder, "modules"), { recursive: true });
  await writeFile(to, modules ? withModules(text, "modules") : deriveConfig(text, move, {}));
  await writeFile(join(folder, ".dev.vars"), devVars, { mode: 0o600 });
  const port = await freePort(0);
  return liveIn(folder, port, () => spawnWrangler(folder, port));
}

/**
 * Makes a product with a folder and a port of its own. `spawnIt` starts each of its lives: a process in a group of its own that listens there and
 * then prints "Ready on http".
 */
async function liveIn(folder: string, port: number, spawnIt: () => ChildProcess): Promise<Product> {
  const written: string[] = [];
  const begin = () => startLife(spawnIt(), (chunk) => written.push(chunk));
  let life = await begin();
  return {
    url: `http://127.0.0.1:${port}`,
    readyAt: () => life.readyAt,
    killNine: () => endGroup(life.child, "SIGKILL"),
    async restart() {
      life = await begin();
    },
    async stop() {
      await endGroup(life.child, "SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
    logs: () => written.join(""),
  };
}

async function startLife(child: ChildProcess, keep: (chunk: string) => void): Promise<Life> {
  // A lane that is killed ends none of its processes.
  if (child.pid !== undefined) child.once("close", killWithUs(child.pid));
  let output = "";
  let readyAt: number | null = null;
  const hear = (chunk: Buffer) => {
    keep(chunk.toString());
    output += chunk.toString();
    if (readyAt === null && output.includes("Ready on http")) readyAt = Date.now();
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  const until = Date.now() + START_LIMIT_MS;
  while (readyAt === null && child.exitCode === null && Date.now() < until) await sleep(POLL_MS);
  if (readyAt !== null) return { child, readyAt };
  await endGroup(child, "SIGKILL");
  throw new Error(`The product did not start.\n${output}`);
}

function spawnWrangler(folder: string, port: number): ChildProcess {
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const where = ["-c", join(folder, "wrangler.toml"), "--persist-to", join(folder, "state")];
  const listen = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  return spawn(process.execPath, [wrangler, "dev", ...where, ...listen, "--show-interactive-dev-session=false"], {
    cwd: folder,
    // A process group of its own, so that a signal reaches workerd too.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      CI: "1",
      NO_COLOR: "1",
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_REGISTRY_PATH: join(folder, "registry"),
      WRANGLER_LOG_PATH: join(folder, "logs"),
      // Offline, looking up request.cf would only cause a warning.
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
  });
}

/** Signals the whole group and waits until all of it is gone. Kills whatever outlives the signal. */
async function endGroup({ pid = 0 }: ChildProcess, first: NodeJS.Signals): Promise<void> {
  const politeUntil = Date.now() + STOP_LIMIT_MS;
  let isAlive = signalGroup(pid, first);
  while (isAlive) {
    await sleep(POLL_MS);
    isAlive = signalGroup(pid, Date.now() < politeUntil ? 0 : "SIGKILL");
  }
}

/** Signals the group. Returns false if the group no longer exists. Signal 0 only asks. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    return false;
  }
}

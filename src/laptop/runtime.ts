// The local runtime of a bot on the real Discord: the production objects in one `wrangler dev` on loopback, with persistent storage, and the
// requests to its gateway's object. Ends everything that it started, and nothing else.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { laptopFaults } from "../core/copy/laptop.ts";
import type { GatewayStatus } from "../core/state/gateway-status.ts";
import { deriveConfig } from "../playground/derive.ts";
import { spawnWrangler } from "../playground/launch.ts";
import { freePort } from "../playground/port.ts";
import { endGroup } from "../playground/process-group.ts";
import { writtenVariables } from "../scripts/dev-vars.ts";
import { ask, tellGateway } from "./ask-runtime.ts";
import { leaveStart } from "./start-again.ts";

/** A running runtime. */
export interface Runtime {
  /** Settles when the runtime has ended, for whatever reason. */
  ended: Promise<void>;
  /** Connects, even if Discord refused the connection before this start. Null: no answer. */
  connect(): Promise<GatewayStatus | null>;
  /** Connects if nothing else did, like the cron trigger on Cloudflare. May be called at any time. Null: no answer. */
  wake(): Promise<GatewayStatus | null>;
  /** Returns the state of the connection. Null: no answer. */
  status(): Promise<GatewayStatus | null>;
  /** Disconnects, so that Discord shows the bot offline at once, and ends the whole process group; after a few seconds in any case. */
  stop(): Promise<void>;
}

/** What to start. */
export interface RuntimeOptions {
  /** The bot's own folder: its storage is kept there. */
  folder: string;
  variables: Readonly<Record<string, string>>;
  /** For the next start, which asks there whether this one is still running. */
  pageUrl: string;
  /** Gets each line that the runtime writes. */
  onLine: (line: string) => void;
  signal: AbortSignal;
}

const ROOT = resolve(import.meta.dirname, "../..");
const START_LIMIT_MS = 60_000;
const POLL_MS = 100;

/** Starts the runtime and resolves when it answers. If it doesn't start, ends everything and resolves with the reason. */
export async function launchRuntime(
  options: RuntimeOptions,
): Promise<{ ok: true; runtime: Runtime } | { ok: false; fault: string }> {
  const { folder, onLine, signal } = options;
  const port = await freePort(0);
  const config = await writeConfig(join(folder, "worker"), options.variables);
  const child = spawnWrangler(["-c", config, "--persist-to", join(folder, "state")], folder, port);
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", onLine);
  let isGone = false;
  const ended = new Promise<void>((done) => child.once("close", () => done())).then(() => {
    isGone = true;
  });
  const pid = child.pid ?? 0;
  const url = `http://127.0.0.1:${port}`;
  await leaveStart(folder, { pageUrl: options.pageUrl, runtimeUrl: url, pid });
  const runtime: Runtime = {
    ended,
    connect: () => tellGateway(url, "POST", "start"),
    wake: () => tellGateway(url, "POST", "wake"),
    status: () => tellGateway(url, "GET", "status"),
    async stop() {
      if (!isGone) await tellGateway(url, "POST", "end");
      await endGroup(pid, ended);
      // The folder contains the bot's token.
      await rm(dirname(config), { recursive: true, force: true });
    },
  };
  const fault = await untilReady(url, () => isGone, signal);
  if (fault === null) return { ok: true, runtime };
  await runtime.stop();
  return { ok: false, fault };
}

/** Writes the configuration, and next to it a .dev.vars, which wrangler reads without printing the values. */
async function writeConfig(folder: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const to = join(folder, "wrangler.toml");
  await mkdir(folder, { recursive: true });
  const move = (path: string) => relative(folder, path === "src/index.ts" ? WORKER : resolve(ROOT, path));
  const { devVars, vars } = writtenVariables(variables);
  await writeFile(to, deriveConfig(await readFile(join(ROOT, "wrangler.toml"), "utf8"), move, vars));
  await writeFile(join(folder, ".dev.vars"), devVars, { mode: 0o600 });
  return to;
}

const WORKER = join(import.meta.dirname, "worker.ts");

/** Resolves with null as soon as the runtime answers; otherwise with why it won't. */
async function untilReady(url: string, isGone: () => boolean, signal: AbortSignal): Promise<string | null> {
  const until = Date.now() + START_LIMIT_MS;
  while (!isGone() && !signal.aborted && Date.now() < until) {
    const { ok, problems } = (await ask(`${url}/health`, {})) as { ok?: boolean; problems?: string[] };
    if (ok) return null;
    if (problems) return laptopFaults.notConfigured(problems);
    await sleep(POLL_MS);
  }
  return isGone() ? laptopFaults.ended : laptopFaults.notReady(START_LIMIT_MS / 1000);
}

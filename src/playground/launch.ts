// The playground as a process: builds the page, derives both Workers' configurations, and runs them in one `wrangler dev` on
// loopback. Ends everything that it started, and nothing else.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { build } from "esbuild";
import { deriveConfig } from "./derive.ts";
import { keepLog, lastLines } from "./log.ts";
import { endGroup } from "./process-group.ts";
import { isSecret, productVars } from "./variables.ts";

/** How to start a playground. */
export interface PlaygroundOptions {
  /** 0 takes a free port. */
  port: number;
  /**
   * Where the storage of all objects comes from, the bot's and the local Discord's: a new and empty folder that nobody else uses
   * (the default), or the one that is kept for this port, as it was left or emptied first.
   */
  world?: "new" | "kept" | "emptied";
  /** Variables of the product, on top of the playground's own. */
  vars?: Record<string, string>;
  /** The product's wrangler.toml. A test may name one with another main file. */
  productConfig?: string;
  /** Keeps the Workers' output out of this process's own output; `logs()` has it in any case. */
  quiet?: boolean;
  /** Gives up a start that is still in progress. */
  signal?: AbortSignal;
}

/** A running playground. `pid` leads the process group of wrangler and workerd. */
export interface Playground {
  url: string;
  pid: number;
  /** Settles when wrangler has ended, for whatever reason. */
  ended: Promise<void>;
  /** Ends the whole process group. May be called twice. */
  stop(): Promise<void>;
  /** Everything that the processes have written so far. */
  logs(): string;
  /** From now on hears the last lines of the log when a Worker crashes. */
  onCrash(listener: (lines: string) => void): void;
}

const ROOT = resolve(import.meta.dirname, "../..");
const START_LIMIT_MS = 60_000;
/** wrangler keeps a request waiting while a Worker fails to build. */
const ANSWER_LIMIT_MS = 2_000;
const POLL_MS = 100;

/** Starts the playground and resolves when both Workers answer. Rejects with the reason, after it has ended what it started. */
export async function launchPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { quiet = false } = options;
  const port = await freePort(options.port);
  const folder = join(ROOT, ".wrangler", "playground", String(port));
  const [configs] = await Promise.all([writeConfigs(folder, port, options), buildPage()]);
  const { world = "new" } = options;
  const persistTo = join(folder, world === "new" ? "state" : "kept");
  if (world !== "kept") await rm(persistTo, { recursive: true, force: true });
  const child = spawnWrangler([...configs.flatMap((path) => ["-c", path]), "--persist-to", persistTo], folder, port);
  const log = keepLog();
  const keep = (chunk: Buffer) => {
    log.add(chunk.toString());
    if (!quiet) process.stderr.write(chunk);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", keep);
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const pid = child.pid ?? 0;
  const playground: Playground = {
    url: `http://127.0.0.1:${port}`,
    pid,
    ended,
    stop: () => endGroup(pid, ended),
    logs: log.all,
    onCrash: log.onCrash,
  };
  const failure = (await untilReady(playground, options.signal)) ?? (await registerCommands(playground.url));
  if (failure === null) return playground;
  await playground.stop();
  throw new Error(quiet ? `${failure}\n${lastLines(log.all())}` : failure);
}

/** The requested port, if nothing listens on it; any free one for 0. */
export async function freePort(port: number): Promise<number> {
  const probe = createServer();
  return new Promise((free, busy) => {
    probe.once("error", ({ code }: NodeJS.ErrnoException) => {
      const why = code === "EADDRINUSE" ? "is busy" : `can't be opened (${code})`;
      busy(new Error(`Port ${port} ${why}. Choose another with --port.`));
    });
    probe.listen(port, "127.0.0.1", () => {
      const { port: bound } = probe.address() as AddressInfo;
      probe.close(() => free(bound));
    });
  });
}

/** One folder per Worker: wrangler reads the .dev.vars beside a configuration, which must be ours and never a person's. */
async function writeConfigs(
  folder: string,
  port: number,
  { vars, productConfig }: PlaygroundOptions,
): Promise<string[]> {
  const url = `http://127.0.0.1:${port}`;
  const workers = [
    { name: "discord", from: join(ROOT, "src/playground/wrangler.toml"), vars: { PLAYGROUND_URL: url } },
    {
      name: "parley",
      from: productConfig ?? join(ROOT, "wrangler.toml"),
      vars: { ...productVars(url, process.env), ...vars },
    },
  ];
  return Promise.all(
    workers.map(async ({ name, from, vars: all }) => {
      const to = join(folder, name, "wrangler.toml");
      const entries = Object.entries<string>(all);
      const plain = Object.fromEntries(entries.filter(([variable]) => !isSecret(variable, all)));
      const secrets = entries.filter(([variable]) => isSecret(variable, all));
      await mkdir(join(folder, name), { recursive: true });
      const move = (path: string) => relative(dirname(to), resolve(dirname(from), path));
      await writeFile(to, deriveConfig(await readFile(from, "utf8"), move, plain));
      const lines = secrets.map(([variable, value]) => `${variable}=${quote(value)}\n`);
      await writeFile(join(folder, name, ".dev.vars"), lines.join(""), { mode: 0o600 });
      return to;
    }),
  );
}

/** A value in a .dev.vars: in whichever quotes it doesn't contain. */
const quote = (value: string): string => {
  const mark = ["'", "`", '"'].find((one) => !value.includes(one)) ?? "'";
  return `${mark}${value}${mark}`;
};

async function buildPage(): Promise<void> {
  const page = join(ROOT, "src/playground/page");
  const assets = join(ROOT, ".wrangler/playground/assets");
  await mkdir(assets, { recursive: true });
  await build({
    entryPoints: [join(page, "page.ts")],
    outfile: join(assets, "page.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "silent",
  });
  for (const file of ["index.html", "style.css", "message-box.css"])
    await copyFile(join(page, file), join(assets, file));
}

/** Starts `wrangler dev` on loopback, in a process group of its own. What it keeps for this start is in `folder`. */
export function spawnWrangler(args: readonly string[], folder: string, port: number): ChildProcess {
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const listen = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  return spawn(process.execPath, [wrangler, "dev", ...args, ...listen, "--show-interactive-dev-session=false"], {
    cwd: ROOT,
    // A process group of its own, so that stop() reaches workerd too.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      CI: "1",
      NO_COLOR: "1",
      WRANGLER_SEND_METRICS: "false",
      // Each playground sees only its own Workers, however many run on this machine.
      WRANGLER_REGISTRY_PATH: join(folder, "registry"),
      WRANGLER_LOG_PATH: join(folder, "logs"),
      // Offline, looking up request.cf would only cause a warning.
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: "false",
    },
  });
}

/**
 * Registers the product's commands with the local Discord, as a person would with the real one. Returns null, or why that failed.
 */
async function registerCommands(url: string): Promise<string | null> {
  const script = join(ROOT, "src/discord/register.ts");
  const { DISCORD_APPLICATION_ID, DISCORD_BOT_TOKEN, DISCORD_API_BASE_URL } = productVars(url, {});
  const env = { ...process.env, DISCORD_APPLICATION_ID, DISCORD_BOT_TOKEN, DISCORD_API_BASE_URL };
  return promisify(execFile)(process.execPath, [script], { cwd: ROOT, env }).then(
    () => null,
    (error: Error) => `The commands were not registered. ${error.message}`,
  );
}

/** Null when both Workers answer; otherwise why they will not. */
async function untilReady({ url, ended, logs }: Playground, signal?: AbortSignal): Promise<string | null> {
  let isGone = false;
  void ended.then(() => {
    isGone = true;
  });
  const until = Date.now() + START_LIMIT_MS;
  while (!isGone && !signal?.aborted && Date.now() < until) {
    const world = await read(`${url}/local/state`);
    const health = world?.ok ? await read(`${url}/health`) : null;
    if (health?.ok) return null;
    if (health?.problems) return `Parley is not configured: ${health.problems.join("; ")}.`;
    // wrangler would wait for the next change of a file.
    if (logs().includes("Build failed")) return "A Worker does not build.";
    await sleep(POLL_MS);
  }
  if (signal?.aborted) return "Stopped while starting.";
  return isGone ? "wrangler ended before it was ready." : `Not ready after ${START_LIMIT_MS / 1000} s.`;
}

/** Whether it answers well, and the problems of the configuration that it names; null without an answer. */
const read = (url: string): Promise<{ ok: boolean; problems?: string[] } | null> =>
  fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).then(
    async (response) => {
      const { problems } = (await response.json().catch(() => ({}))) as { problems?: string[] };
      return { ok: response.ok, ...(problems && { problems }) };
    },
    () => null,
  );

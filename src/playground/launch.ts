// The playground as a process: builds the page, derives both Workers' configurations, runs them in one `wrangler dev` on loopback, and opens
// a desk for what only a process can do. Ends everything that it started, and nothing else.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { writtenVariables } from "../scripts/dev-vars.ts";
import { claimFolder } from "./claim.ts";
import { deriveConfig } from "./derive.ts";
import { openDesk } from "./desk.ts";
import { keepLines } from "./live-log.ts";
import { keepLog, lastLines } from "./log.ts";
import { freePort } from "./port.ts";
import { untilReady } from "./ready.ts";
import { isSecret, productVars } from "./variables.ts";
import { readWorkersLine } from "./workers-line.ts";
import { runWorkers } from "./workers-process.ts";

/** How to start a playground. */
export interface PlaygroundOptions {
  /** 0 takes a free port. */
  port: number;
  /**
   * Where the storage of all objects is, the bot's and the local Discord's: in a new and empty folder that nobody else uses (the default), or
   * in the folder that is kept for this port, which `emptied` clears first.
   */
  world?: "new" | "kept" | "emptied";
  /** A person's environment, whose variables replace or extend the playground's own. By default, no environment is used. */
  shell?: Readonly<Record<string, string | undefined>>;
  /** Variables of the product, on top of the playground's own. */
  vars?: Record<string, string>;
  /** The product's wrangler.toml. A test may name one with another main file. */
  productConfig?: string;
  /** Keeps the Workers' output out of this process's own output; `logs()` has it in any case. */
  quiet?: boolean;
  /** Gives up a start that is still in progress. */
  signal?: AbortSignal;
  /** Receives each line that the Workers write. */
  onLine?: (line: string) => void;
  /** Receives what is wrong with the bot's configuration, which the page also shows. Without this, such a start is rejected. */
  onProblems?: (problems: readonly string[]) => void;
}

/** A running playground. */
export interface Playground {
  url: string;
  /** The leader of the process group of wrangler and workerd. Changes after a kill from the page. */
  readonly pid: number;
  /** Settles when wrangler has ended, for any reason other than a kill from the page. */
  ended: Promise<void>;
  /** Ends the whole process group. May be called twice. */
  stop(): Promise<void>;
  /** Everything that the processes have written so far. */
  logs(): string;
  /** Calls the listener with the last lines of the log whenever a Worker crashes from now on. */
  onCrash(listener: (lines: string) => void): void;
}

const ROOT = resolve(import.meta.dirname, "../..");

/** Starts the playground and resolves when both Workers answer. If it can't start, ends what it started and rejects with the reason. */
export async function launchPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { quiet = false, onLine, onProblems } = options;
  const port = await freePort(options.port);
  const folder = join(ROOT, ".wrangler", "playground", String(port));
  const release =
    claimFolder(folder) ?? refuse(`Port ${port} is used by another \`npm start\`. Choose another with --port.`);
  const lines = keepLines(Date.now);
  const secrets = { LAUNCHER_TOKEN: newToken(), INSPECT_TOKEN: newToken() };
  const desk = await openDesk({ token: secrets.LAUNCHER_TOKEN, log: lines, killNine: () => workers.killNine() });
  const { world = "new" } = options;
  const leave = async () => {
    await desk.close();
    // These files contain a person's keys.
    await Promise.all(["discord", "parley"].map((name) => rm(join(folder, name, ".dev.vars"), { force: true })));
    release();
    // Nobody will use this folder again.
    if (world === "new") await rm(folder, { recursive: true, force: true });
  };
  const configs = await buildPage(join(folder, "assets"))
    .then(() => writeConfigs(folder, port, options, { desk: desk.url, ...secrets }))
    .catch(async (error: unknown) => {
      await leave();
      throw error;
    });
  const persistTo = join(folder, world === "new" ? "state" : "kept");
  if (world !== "kept") await rm(persistTo, { recursive: true, force: true });
  const log = keepLog();
  const hear = (line: string) => {
    const read = readWorkersLine(line);
    if (read) lines.add(read.level, read.text);
    onLine?.(line);
  };
  const workers = runWorkers(() => {
    const child = spawnWrangler([...configs.flatMap((path) => ["-c", path]), "--persist-to", persistTo], folder, port);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        log.add(chunk.toString());
        if (!quiet) process.stderr.write(chunk);
      });
      if (stream) createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", hear);
    }
    return child;
  });
  const playground: Playground = {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return workers.pid();
    },
    ended: workers.ended,
    async stop() {
      await workers.stop();
      await leave();
    },
    logs: log.all,
    onCrash: log.onCrash,
  };
  const failure = await untilReady({ ...playground, signal: options.signal, onProblems });
  if (failure === null) return playground;
  // Read before stopping: wrangler's output during the stop would hide the reason.
  const said = lastLines(log.all());
  await playground.stop();
  throw new Error(quiet ? `${failure}\n${said}` : failure);
}

const refuse = (why: string): never => {
  throw new Error(why);
};

const newToken = (): string => randomBytes(24).toString("base64url");

/** Writes one folder per Worker: wrangler reads the .dev.vars next to a configuration, which must be ours and never a person's. */
async function writeConfigs(
  folder: string,
  port: number,
  { shell = {}, vars, productConfig }: PlaygroundOptions,
  { desk, LAUNCHER_TOKEN, INSPECT_TOKEN }: { desk: string; LAUNCHER_TOKEN: string; INSPECT_TOKEN: string },
): Promise<string[]> {
  const url = `http://127.0.0.1:${port}`;
  const workers = [
    {
      name: "discord",
      from: join(ROOT, "src/playground/wrangler.toml"),
      // If the caller chose the token, people have to enter it themselves.
      vars: { PLAYGROUND_URL: url, LAUNCHER_URL: desk, LAUNCHER_TOKEN, ...(!vars?.INSPECT_TOKEN && { INSPECT_TOKEN }) },
    },
    {
      name: "parley",
      from: productConfig ?? join(ROOT, "wrangler.toml"),
      vars: { ...productVars(url, shell), INSPECT_TOKEN, ...vars },
    },
  ];
  return Promise.all(
    workers.map(async ({ name, from, vars: all }) => {
      const to = join(folder, name, "wrangler.toml");
      const entries = Object.entries<string>(all);
      const plain = Object.fromEntries(entries.filter(([variable]) => !isSecret(variable, all)));
      const secrets = Object.fromEntries(entries.filter(([variable]) => isSecret(variable, all)));
      const { devVars, vars } = writtenVariables(secrets);
      await mkdir(join(folder, name), { recursive: true });
      const move = (path: string) => {
        const at = resolve(dirname(from), path);
        return relative(dirname(to), at === NAMED_ASSETS ? join(folder, "assets") : at);
      };
      await writeFile(to, deriveConfig(await readFile(from, "utf8"), move, { ...plain, ...vars }));
      await writeFile(join(folder, name, ".dev.vars"), devVars, { mode: 0o600 });
      return to;
    }),
  );
}

/**
 * The folder named in the configuration. Each playground builds its page into its own folder instead: wrangler restarts the Workers when
 * their assets are written, so a second playground would cut the first one's streams.
 */
const NAMED_ASSETS = join(ROOT, ".wrangler/playground/assets");

async function buildPage(assets: string): Promise<void> {
  const page = join(ROOT, "src/playground/page");
  await mkdir(assets, { recursive: true });
  await build({
    entryPoints: [join(page, "page.ts"), join(page, "first-paint.ts")],
    outdir: assets,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "silent",
  });
  for (const file of ["index.html", "style.css", "message-box.css", "code.css", "panel.css"])
    await copyFile(join(page, file), join(assets, file));
}

/** Starts `wrangler dev` on loopback, in its own process group. Its files for this start are in `folder`. */
export function spawnWrangler(args: readonly string[], folder: string, port: number): ChildProcess {
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const listen = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  return spawn(process.execPath, [wrangler, "dev", ...args, ...listen, "--show-interactive-dev-session=false"], {
    cwd: ROOT,
    // Its own process group, so that stop() reaches workerd too.
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

// Starts and ends the processes of a measurement, and reads what the system reports about workerd: its processor time and its memory.
// Ends only what it started.
import { type ChildProcess, fork } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../../support/product.ts";
import type { RuntimePlan } from "../../support/runtime-plan.ts";
import { now } from "./clock.ts";
import { heapBytes } from "./heap.ts";
import type { Heard } from "./heard.ts";
import type { Asked, Plan } from "./model-plan.ts";

const START_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 120_000;
const POLL_MS = 5;
/** The system counts a thread's time in nanoseconds (`schedstat`), and a process's in hundredths of a second, which is too coarse here. */
const NANOSECONDS_IN_MS = 1e6;
const KIB = 1024;

/** A process that listens. */
interface Listening {
  child: ChildProcess;
  said: string;
}

/** Starts a process. `log`: a file to which its output is added; without one, the output is discarded. */
function start(file: string, args: string[], detached = false, log?: string): Promise<Listening> {
  const env = { ...process.env, MINIFLARE_WORKERD_PATH: join(ROOT, "node_modules/workerd/bin/workerd"), NO_COLOR: "1" };
  const printed = log === undefined ? null : openSync(log, "a");
  const stdio = ["ignore", printed ?? "ignore", "pipe", "ipc"] as const;
  const child = fork(join(import.meta.dirname, file), args, { detached, env, stdio: [...stdio] });
  if (printed !== null) closeSync(printed);
  let wrong = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    wrong = (wrong + chunk.toString()).slice(-4000);
    if (log !== undefined) appendFileSync(log, chunk);
  });
  return new Promise((listening, failed) => {
    const fail = () => failed(new Error(`${file} did not start.\n${wrong}`));
    const timer = setTimeout(fail, START_LIMIT_MS);
    child.once("exit", fail);
    child.once("message", (said) => {
      clearTimeout(timer);
      child.off("exit", fail);
      listening({ child, said: String(said) });
    });
  });
}

/** A model in a separate process. */
export interface Model {
  url: string;
  /** Sets what it answers from now on. */
  plan(plan: Plan): Promise<void>;
  /** Returns the requests since the plan; with a count, as soon as there are that many. */
  asked(count?: number): Promise<Asked[]>;
  close(): void;
}

/** Starts the model of a measurement. */
export async function startModel(): Promise<Model> {
  const { child, said } = await start("model-process.ts", []);
  const url = `http://127.0.0.1:${said}`;
  return {
    url,
    plan: async (plan) => void (await post(`${url}/bench/plan`, JSON.stringify(plan))),
    async asked(count = 0) {
      const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
      return (await (await fetch(`${url}/bench/asked?until=${count}`, { signal })).json()) as Asked[];
    },
    close: () => child.disconnect(),
  };
}

/** The Discord of a measurement. */
export interface FastDiscord {
  url: string;
  heard(): Promise<Heard[]>;
  forget(): Promise<void>;
  close(): void;
}

/** Starts the Discord of a measurement. */
export async function startDiscord(): Promise<FastDiscord> {
  const { child, said } = await start("discord-process.ts", []);
  const url = `http://127.0.0.1:${said}`;
  return {
    url,
    heard: async () => (await (await fetch(`${url}/bench/heard`)).json()) as Heard[],
    forget: async () => void (await post(`${url}/bench/forget`, "")),
    close: () => child.disconnect(),
  };
}

async function post(url: string, body: string): Promise<void> {
  await (await fetch(url, { method: "POST", body })).text();
}

/** A Worker that runs. */
export interface Runtime {
  url: string;
  /** Processor time so far in milliseconds, of all of workerd's threads. */
  cpuMs(): number;
  /** Bytes of memory that workerd uses now. */
  memory(): number;
  /** Bytes of the program's own heap in use, without garbage; only for an inspected runtime. */
  heapBytes(): Promise<number>;
  /** Ends miniflare and workerd at once, like a power cut. */
  killNine(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a Worker in plain miniflare. `log`: a file to which its lines are added. */
export async function startRuntime(
  plan: Partial<RuntimePlan> & Pick<RuntimePlan, "folder">,
  log?: string,
): Promise<Runtime> {
  const folder = mkdtempSync(join(tmpdir(), "parley-runtime-"));
  const file = join(folder, "plan.json");
  const whole: RuntimePlan = {
    main: "index.js",
    objects: {},
    bindings: {},
    state: null,
    flags: [],
    refusals: 1_000_000,
    port: 0,
    isInspected: false,
    ...plan,
  };
  writeFileSync(file, JSON.stringify(whole), { mode: 0o600 });
  const { child, said } = await start("../../support/runtime-process.ts", [file], true, log);
  const [url = "", inspector = ""] = said.split(" ");
  const pid = workerdOf(child.pid ?? 0);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    url,
    heapBytes: () => heapBytes(inspector),
    cpuMs: () => {
      const threads = readdirSync(`/proc/${pid}/task`);
      const taken = threads.map((one) =>
        Number.parseInt(readFileSync(`/proc/${pid}/task/${one}/schedstat`, "utf8"), 10),
      );
      return taken.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / NANOSECONDS_IN_MS;
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * KIB,
    async killNine() {
      process.kill(-(child.pid ?? 0), "SIGKILL");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
    async close() {
      if (child.connected) child.disconnect();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The workerd process that this one started. */
function workerdOf(parent: number): number {
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one)))
    try {
      const [start = "", fields = ""] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ");
      if (start.includes("workerd") && Number(fields.split(" ")[1]) === parent) return Number(name);
    } catch {
      // It has ended in the meantime.
    }
  throw new Error("workerd was not found; the figures need Linux");
}

/** Waits until the condition is true. Returns the machine's time then; rejects with the name of what never came. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  limitMs = START_LIMIT_MS,
): Promise<number> {
  for (const end = now() + limitMs; now() < end; await sleep(POLL_MS)) if (await isSo()) return now();
  throw new Error(`never came: ${what}`);
}

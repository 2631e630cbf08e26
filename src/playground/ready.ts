// When a started playground is ready: both Workers answer, and the local Discord knows the commands. Starts and ends nothing.
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { productVars } from "./variables.ts";

/** What is waited for. `ended` settles when it will never be ready. */
export interface Starting {
  url: string;
  ended: Promise<void>;
  logs(): string;
  signal?: AbortSignal | undefined;
  /** Hears what the bot can't use of its configuration. Without this, such a start has failed. */
  onProblems?: ((problems: readonly string[]) => void) | undefined;
}

const ROOT = resolve(import.meta.dirname, "../..");
/** For a start that hangs: one that has ended, or whose Worker does not build, is seen at once. A busy machine takes a minute. */
const START_LIMIT_MS = 150_000;
/** wrangler keeps a request waiting while a Worker fails to build. */
const ANSWER_LIMIT_MS = 2_000;
const POLL_MS = 100;
/** wrangler first says that a build failed, and starts esbuild to word why. Ended in between, it never says it; a busy machine takes long. */
const REASON_LIMIT_MS = 30_000;
const REASON = /Build failed.*ERROR/s;

/** Waits until both Workers answer, and registers the commands. Null, or why that failed. */
export async function untilReady(starting: Starting): Promise<string | null> {
  const found = await findProblems(starting);
  if (typeof found === "string") return found;
  if (found.length > 0 && !starting.onProblems) return `Parley is not configured: ${found.join("; ")}.`;
  if (found.length > 0) starting.onProblems?.(found);
  return registerCommands(starting.url);
}

/** The problems of the product's configuration when both Workers answer, as a rule none; otherwise why they will not, as a text. */
async function findProblems({ url, ended, logs, signal }: Starting): Promise<readonly string[] | string> {
  let isGone = false;
  void ended.then(() => {
    isGone = true;
  });
  const until = Date.now() + START_LIMIT_MS;
  while (!isGone && !signal?.aborted && Date.now() < until) {
    const world = await read(`${url}/local/state`);
    const health = world?.ok ? await read(`${url}/health`) : null;
    if (health?.ok) return [];
    if (health?.problems) return health.problems;
    // wrangler would wait for the next change of a file.
    if (logs().includes("Build failed")) {
      const reasonUntil = Date.now() + REASON_LIMIT_MS;
      while (!isGone && !REASON.test(logs()) && Date.now() < reasonUntil) await sleep(POLL_MS);
      return "A Worker does not build.";
    }
    await sleep(POLL_MS);
  }
  if (signal?.aborted) return "Stopped while starting.";
  return isGone ? "wrangler ended before it was ready." : `Not ready after ${START_LIMIT_MS / 1000} s.`;
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

/** Whether it answers well, and the problems of the configuration that it names; null without an answer. */
const read = (url: string): Promise<{ ok: boolean; problems?: string[] } | null> =>
  fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).then(
    async (response) => {
      const { problems } = (await response.json().catch(() => ({}))) as { problems?: string[] };
      return { ok: response.ok, ...(problems && { problems }) };
    },
    () => null,
  );

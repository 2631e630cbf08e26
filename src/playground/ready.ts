// Waits until a started playground is ready: both Workers answer, and the local Discord knows the commands. Starts and ends nothing.
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { productVars } from "./variables.ts";

/** The playground to wait for. `ended` settles if it will never be ready. */
export interface Starting {
  url: string;
  ended: Promise<void>;
  logs(): string;
  signal?: AbortSignal | undefined;
  /** Receives what is wrong with the bot's configuration. Without this, such a start fails. */
  onProblems?: ((problems: readonly string[]) => void) | undefined;
}

const ROOT = resolve(import.meta.dirname, "../..");
/** The limit for a start that hangs; an ended process or a failed build is noticed at once. A busy machine takes a minute. */
const START_LIMIT_MS = 150_000;
/** While a Worker does not build, wrangler leaves requests waiting. */
const ANSWER_LIMIT_MS = 2_000;
const POLL_MS = 100;
/**
 * wrangler first reports that a build failed, and then starts esbuild to format the reason. If it is ended in between, the reason is lost; a
 * busy machine takes long.
 */
const REASON_LIMIT_MS = 30_000;
const REASON = /Build failed.*ERROR/s;

/** Waits until both Workers answer, and registers the commands. Resolves with null, or with why that failed. */
export async function untilReady(starting: Starting): Promise<string | null> {
  const found = await findProblems(starting);
  if (typeof found === "string") return found;
  if (found.length > 0 && !starting.onProblems) return `Parley is not configured: ${found.join("; ")}.`;
  if (found.length > 0) starting.onProblems?.(found);
  return registerCommands(starting.url);
}

/** Waits until both Workers answer. Resolves with the problems of the product's configuration (usually none), or with why they won't answer. */
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
    // wrangler itself would now wait for the next change of a file.
    if (logs().includes("Build failed")) {
      const reasonUntil = Date.now() + REASON_LIMIT_MS;
      while (!isGone && !REASON.test(logs()) && Date.now() < reasonUntil) await sleep(POLL_MS);
      return "A Worker could not be built.";
    }
    await sleep(POLL_MS);
  }
  if (signal?.aborted) return "Stopped while starting.";
  return isGone ? "wrangler stopped before it was ready." : `Not ready after ${START_LIMIT_MS / 1000} s.`;
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

/** Reads whether the address answers well, and which configuration problems it names; null without an answer. */
const read = (url: string): Promise<{ ok: boolean; problems?: string[] } | null> =>
  fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).then(
    async (response) => {
      const { problems } = (await response.json().catch(() => ({}))) as { problems?: string[] };
      return { ok: response.ok, ...(problems && { problems }) };
    },
    () => null,
  );

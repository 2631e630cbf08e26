// Runs wrangler without its prompts: reads the login, deploys with secrets, adds and removes secrets. Where it can, it reads the output that
// wrangler writes for programs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { parseJson } from "../model/json-fields.ts";
import { type CloudflareFailure, LOGIN } from "./cloudflare-api.ts";
import { writeDeployConfig } from "./deploy-config.ts";
import type { Account } from "./facts.ts";
import { hasRoomFor } from "./full-disk.ts";
import type { SetupPorts } from "./ports.ts";
import { withPrivateFolder } from "./private-folder.ts";

/** The variables for every run: no prompts, no banner, no metrics. */
const QUIET = { CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };

/** Who is logged in. `failed`: in wrangler's own words. */
export type Login =
  | { kind: "in"; accounts: readonly Account[] }
  | { kind: "out" }
  | { kind: "failed"; failure: CloudflareFailure };

/**
 * How a deploy ended. `build` and `no_room`: the program could not be built, or this disk is full, and nothing was sent. `hasCron`:
 * Cloudflare also accepted the cron trigger.
 */
export type Deployed =
  | { ok: true; url: string | null; hasCron: boolean }
  | { ok: false; kind: "build" | "no_room" | CloudflareFailure["kind"]; text: string };

/** What wrangler prints when a login may not list its accounts. */
const NO_LIST = /retrieve account IDs|API \(\/(?:accounts|memberships)\b/;

/** What wrangler prints for errors that say nothing about the login. */
const NO_NETWORK = /connectivity issue|fetch failed/i;
const NO_ANSWER = /malformed response|-> (?:429|5\d\d)\b|\[code: 971\]|unknown error/i;
/** Comes after the upload: the account has as many cron triggers as its plan allows (workers-sdk#15194). Everything else was done. */
const NO_CRON = /\[code: 10072\]/;
const NO_RIGHT = new RegExp(`\\[code: (?:${LOGIN.join("|")})\\]`);

type Ports = Pick<SetupPorts, "runWrangler" | "tempFolder" | "root">;

/**
 * Asks who is logged in. `env` may contain an API token. `named`: the account id in CLOUDFLARE_ACCOUNT_ID, because an API token with all other
 * permissions may not be allowed to list accounts.
 */
export async function readLogin(
  { runWrangler }: Ports,
  env: Record<string, string>,
  named: string | undefined,
): Promise<Login> {
  const { stdout, stderr } = await runWrangler(["whoami", "--json"], { env: { ...QUIET, ...env } });
  const json = (parseJson(stdout) ?? null) as { loggedIn?: boolean; accounts?: Account[] } | null;
  const known = named ? [{ id: named, name: named }] : [];
  const text = findError(stderr) ?? lastLine(stderr || stdout);
  if (json === null && named && NO_LIST.test(text)) return { kind: "in", accounts: known };
  if (json === null) return { kind: "failed", failure: { ok: false, kind: whyNot(stderr), code: null, text } };
  if (json.loggedIn !== true) return { kind: "out" };
  const accounts = (json.accounts ?? []).map(({ id, name }) => ({ id, name }));
  return { kind: "in", accounts: accounts.length > 0 ? accounts : known };
}

function whyNot(stderr: string): CloudflareFailure["kind"] {
  if (NO_NETWORK.test(stderr)) return "lost";
  return NO_ANSWER.test(stderr) ? "refused" : "login";
}

/** A valid login may still lack the permission to deploy. */
function whyNotDeployed(stderr: string): CloudflareFailure["kind"] {
  if (NO_NETWORK.test(stderr)) return "lost";
  return NO_RIGHT.test(stderr) ? "login" : "refused";
}

/** Lets wrangler log in, in the person's terminal. False: it did not work. */
export async function logIn({ runWrangler }: Ports, how: "browser" | "device"): Promise<boolean> {
  const args = how === "device" ? ["login", "--device"] : ["login"];
  return (await runWrangler(args, { isShown: true })).code === 0;
}

/** Reads the token for Cloudflare's API; null if nobody is logged in. */
export async function readToken({ runWrangler }: Ports, env: Record<string, string>): Promise<string | null> {
  if (env.CLOUDFLARE_API_TOKEN) return env.CLOUDFLARE_API_TOKEN;
  const { stdout } = await runWrangler(["auth", "token", "--json"], { env: { ...QUIET, ...env } });
  const { token } = (parseJson(stdout) ?? {}) as { token?: unknown };
  return typeof token === "string" ? token : null;
}

/** The input of a deploy. */
export interface Deploy {
  name: string;
  withAi: boolean;
  /** Added to those that the Worker has. */
  secrets: Readonly<Record<string, string>>;
  env: Record<string, string>;
}

/** Deploys the Worker with its secrets in one upload, so that it never runs without them. May run twice: it deploys the same Worker again. */
export async function deploy(ports: Ports, { name, withAi, secrets, env }: Deploy): Promise<Deployed> {
  return withPrivateFolder(ports.tempFolder, async (folder) => {
    const file = join(folder, "secrets.json");
    const output = join(folder, "output.jsonl");
    let config = "";
    const hasRoom = hasRoomFor(() => {
      writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
      config = writeDeployConfig(ports.root, withAi);
    });
    if (!hasRoom) return { ok: false, kind: "no_room", text: "" };
    const args = ["deploy", "--name", name, "--config", config, "--secrets-file", file];
    const { code, stderr, stdout } = await ports.runWrangler(args, {
      env: { ...QUIET, ...env, WRANGLER_OUTPUT_FILE_PATH: output },
    });
    const lines = readLines(output);
    const deployed = lines.find(({ type }) => type === "deploy");
    // The targets also include the schedule of the cron trigger.
    const url = deployed?.targets?.find((target) => /^https?:/.test(target));
    const hasCron = !NO_CRON.test(stderr);
    if (code === 0 || !hasCron) return { ok: true, url: url?.replace(/\/+$/, "") ?? null, hasCron };
    const failed = lines.find(({ type }) => type === "command-failed");
    const isBuild = failed?.message?.startsWith("Running custom build") === true;
    const text = isBuild
      ? findBuildError(stdout)
      : (findError(stderr) ?? failed?.message ?? lastLine(stderr || stdout));
    return { ok: false, kind: isBuild ? "build" : whyNotDeployed(stderr), text };
  });
}

/** Adds secrets to an existing Worker, and removes those that are null. They go over standard input, not in a file or an argument. */
export async function addSecrets(
  { runWrangler }: Ports,
  { name, secrets, env }: Pick<Deploy, "name" | "env"> & { secrets: Readonly<Record<string, string | null>> },
): Promise<boolean> {
  const input = JSON.stringify(secrets);
  const { code } = await runWrangler(["secret", "bulk", "--name", name], { env: { ...QUIET, ...env }, input });
  return code === 0;
}

interface Line {
  type?: string;
  targets?: string[];
  message?: string;
}

function readLines(path: string): Line[] {
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.flatMap((line) => (line === "" ? [] : [(parseJson(line) ?? {}) as Line]));
  } catch {
    return [];
  }
}

/** Returns wrangler's error message. The reason is in the indented lines; after them it names its log and its bug tracker. */
function findError(text: string): string | null {
  const [, error] = /\[ERROR\](.*(?:\n(?:\s.*)?)*)/.exec(stripVTControlCharacters(text)) ?? [];
  const words = (error ?? "").replace(/If you think this is a bug[\s\S]*/, "").replaceAll(/\s+/g, " ");
  return words.trim().replace(/\.$/, "").slice(0, MOST_ERROR_CHARS) || null;
}

/** Finds the reason for a failed build: one line in the output of our own build, which wrangler prints whole. */
function findBuildError(text: string): string {
  const lines = stripVTControlCharacters(text).split("\n");
  const [, why] =
    lines.map((line) => /(?:\[[A-Z_]{4,}\]|Error \[\w+\]:|\[Error:) *(.+?)(?:\] \{)?$/.exec(line)).find(Boolean) ?? [];
  return why?.slice(0, MOST_ERROR_CHARS).trim() ?? "no reason was given";
}

const MOST_ERROR_CHARS = 400;

const lastLine = (text: string): string =>
  text
    .trim()
    .split("\n")
    .findLast((line) => line.trim() !== "")
    ?.trim() ?? "";

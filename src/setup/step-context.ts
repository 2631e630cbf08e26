// What each step of the setup gets, and how it ends.
import type { CloudflareApi, CloudflareFailure } from "./cloudflare-api.ts";
import { failure } from "./copy/setup.ts";
import type { DiscordApi, DiscordFailure } from "./discord-api.ts";
import type { Facts, WorkerFacts } from "./facts.ts";
import type { SetupPorts } from "./ports.ts";

/** What a person asked for on the command line. */
export interface SetupFlags {
  /** Ask nothing: variables and defaults. */
  yes: boolean;
  /** The Worker's name. */
  name: string;
  /** Ask for a model key although the Worker has one. */
  newKey: boolean;
}

/** The ports, with what this run found out. With `--yes`, its terminal can ask nothing. */
export interface StepContext extends SetupPorts {
  flags: SetupFlags;
  /** Discord with the token of this run. */
  discord(token: string): DiscordApi;
  /** Cloudflare with the login of this run; a text says why not. */
  cloudflare(accountId: string): Promise<CloudflareApi | string>;
  /** The variables of wrangler's runs: the account, and an API token that was pasted. */
  wranglerEnv(account?: string): Record<string, string>;
  /** An API token that was pasted, for this run only. Null: it is of no use. */
  keepApiToken(token: string | null): void;
  /** Never shown, wherever it turns up. */
  keepSecret(secret: string): void;
}

/** A step ends with more facts, or with a sentence that says what to do. It never throws for an expected failure, and every step may run again. */
export type StepEnd = { ok: true; facts: Partial<Facts> } | { ok: false; sentence: string };

/** The end of a step that found out more. */
export const learned = (facts: Partial<Facts>): StepEnd => ({ ok: true, facts });
/** The end of a step that can't go further; the sentence says what to do. */
export const failed = (sentence: string): StepEnd => ({ ok: false, sentence });
/** The person gave up. */
export const CANCELLED: StepEnd = failed(failure.cancelled);

/** The sentence about a request that Discord did not answer as hoped. */
export function discordText({ kind, text }: DiscordFailure): string {
  switch (kind) {
    case "token":
      return failure.tokenRefused;
    case "blocked":
      return failure.blocked;
    case "unreachable":
      return failure.discordUnreachable(text);
    case "down":
      return failure.discordDown(text);
    case "endpoint":
    case "refused":
      return failure.discordRefused(text);
  }
}

/** The sentence about a request that Cloudflare did not answer as hoped. */
export function cloudflareText({ kind, text }: CloudflareFailure): string {
  switch (kind) {
    case "login":
      return failure.wranglerFailed(text);
    case "lost":
      return failure.cloudflareLost(text);
    case "refused":
      return failure.cloudflare(text);
  }
}

/** What a step needs of an earlier one is there: the plan says so. */
export function need<Value>(value: Value | null): Value {
  if (value === null) throw new Error("the plan runs a step before what it needs");
  return value;
}

/** The Worker that was there before the deploy; null: there was none. */
export const oldWorker = ({ worker }: Facts): WorkerFacts | null => (worker === "none" ? null : need(worker));

/** OPENAI_MODEL where it names a model of Workers AI; any other is another provider's. */
export const workersAiModel = ({ OPENAI_MODEL: model }: SetupPorts["variables"]): string | undefined =>
  model?.startsWith("@cf/") ? model : undefined;

// What each step of the setup receives, and how it ends.
import type { CloudflareApi, CloudflareFailure } from "./cloudflare-api.ts";
import { failure } from "./copy/setup.ts";
import type { DiscordApi, DiscordFailure } from "./discord-api.ts";
import type { Facts, WorkerFacts } from "./facts.ts";
import type { SetupPorts } from "./ports.ts";

/** The options on the command line. */
export interface SetupFlags {
  /** Ask nothing: variables and defaults. */
  yes: boolean;
  /** The Worker's name. */
  name: string;
  /** Ask for a model key although the Worker has one. */
  newKey: boolean;
}

/** The ports, with what this run found out. With `--yes`, its terminal can't ask anything. */
export interface StepContext extends SetupPorts {
  flags: SetupFlags;
  /** Returns Discord's API with this token. */
  discord(token: string): DiscordApi;
  /** Returns Cloudflare's API with the login of this run. A string says why that is not possible. */
  cloudflare(accountId: string): Promise<CloudflareApi | string>;
  /** Returns the variables for running wrangler: the account, and the API token if there is one. */
  wranglerEnv(account?: string): Record<string, string>;
  /** Keeps a pasted API token for this run only. Null: forgets it, because it doesn't work. */
  keepApiToken(token: string | null): void;
  /** Registers a text that is never shown, wherever it turns up. */
  keepSecret(secret: string): void;
}

/** A step ends with more facts, or with a sentence that says what to do. It never throws for an expected failure. Any step may run again. */
export type StepEnd = { ok: true; facts: Partial<Facts> } | { ok: false; sentence: string };

/** The step found out more. */
export const learned = (facts: Partial<Facts>): StepEnd => ({ ok: true, facts });
/** The step can't continue; the sentence says what to do. */
export const failed = (sentence: string): StepEnd => ({ ok: false, sentence });
/** The person gave up. */
export const CANCELLED: StepEnd = failed(failure.cancelled);

/** Returns the sentence about a failed request to Discord. */
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

/** Returns the sentence about a failed request to Cloudflare. */
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

/** Returns a value that an earlier step must have found; the plan guarantees that. Throws if it is missing. */
export function need<Value>(value: Value | null): Value {
  if (value === null) throw new Error("the plan runs a step before what it needs");
  return value;
}

/** The Worker that existed before the deploy; null: there was none. */
export const oldWorker = ({ worker }: Facts): WorkerFacts | null => (worker === "none" ? null : need(worker));

/** OPENAI_MODEL if it names a model of Workers AI; any other name is another provider's model. */
export const workersAiModel = ({ OPENAI_MODEL: model }: SetupPorts["variables"]): string | undefined =>
  model?.startsWith("@cf/") ? model : undefined;

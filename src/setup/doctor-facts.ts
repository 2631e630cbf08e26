// Everything that the doctor looks at, collected once. Looking changes nothing. What could not be seen is null.

import { WORKERS_AI_MODEL } from "../config/defaults.ts";
import type { CloudflareFailure } from "./cloudflare-api.ts";
import { wrong } from "./copy/doctor.ts";
import { failure } from "./copy/setup.ts";
import { type DiscordReply, readApplication, readServers } from "./discord-api.ts";
import type { Account, Application, Server, WorkerFacts } from "./facts.ts";
import { type ModelAccess, providerOf, type Trial, trimKey, tryModel } from "./model-key.ts";
import { endpointAt, workerUrl } from "./plan.ts";
import { discordText, type StepContext, workersAiModel } from "./step-context.ts";
import { findTokenFault, type TokenFault, trimToken } from "./token-shape.ts";
import { askEndpoint, type EndpointAnswer, type Health, readHealth } from "./worker-probe.ts";
import { type Login, readLogin } from "./wrangler.ts";

/** What is known about the bot's token, mostly from Discord's answer to it. */
export type TokenState =
  | { kind: "missing" }
  | { kind: "shape"; fault: TokenFault }
  | { kind: "refused" }
  | { kind: "blocked" }
  | { kind: "silent"; sentence: string }
  | { kind: "works" };

/** What is known about the Cloudflare account. */
export interface AccountFacts {
  login: Login;
  /** The account with the Worker, or the only one. */
  account: Account | null;
  subdomain: string | null;
  worker: WorkerFacts | null;
  isOnWorkersDev: boolean | null;
  failure: CloudflareFailure | null;
}

/** All facts that the rows are judged by. */
export interface DoctorFacts {
  now: number;
  node: string;
  /** How far this machine's clock is ahead of Discord's, in milliseconds; negative: behind. */
  clockOffMs: number | null;
  token: TokenState;
  application: Application | null;
  commands: unknown;
  servers: readonly Server[] | null;
  /** The channel of --channel, and whether the bot can see it. */
  channel: { id: string; isSeen: boolean } | null;
  cloudflare: AccountFacts;
  url: string | null;
  health: Health | null;
  endpoint: EndpointAnswer | null;
  /** The model of OPENAI_API_KEY, and what a trial showed. */
  model: { access: ModelAccess; trial: Trial } | null;
  /** The answer of Workers AI to a request for one token, if the Worker uses Workers AI. */
  workersAi: { ok: true } | CloudflareFailure | null;
  devVars: Readonly<Record<string, string | undefined>> | null;
  /** Whether `.dev.vars` is in UTF-16, which wrangler can't read. */
  hasUtf16?: boolean | undefined;
}

/** The doctor's options, with what the process knows. */
export interface DoctorFlags {
  url: string | null;
  channel: string | null;
  node: string;
  devVars: Readonly<Record<string, string | undefined>> | null;
  /** The `.dev.vars` is in UTF-16, which wrangler can't read. */
  hasUtf16?: boolean | undefined;
}

/** Whether this `.dev.vars` is for a Discord on this machine. */
export const isForLocalDiscord = (file: Readonly<Record<string, string | undefined>>): boolean =>
  /127\.0\.0\.1|localhost/.test(file.DISCORD_API_BASE_URL ?? "");

/** Looks at everything. May run twice. */
export async function lookAround(context: StepContext, flags: DoctorFlags): Promise<DoctorFacts> {
  const { variables, clock } = context;
  const given = variables.DISCORD_BOT_TOKEN ?? "";
  const fault = findTokenFault(given);
  const token = fault === null ? trimToken(given) : null;
  if (token !== null) context.keepSecret(token);
  const discord = token === null ? null : context.discord(token);
  const own = discord && (await discord.get("/applications/@me"));
  const application = own?.ok ? readApplication(own.body) : null;
  const read = async (path: string) => (discord && application ? discord.get(path) : null);
  const commands = await read(`/applications/${application?.id}/commands?with_localizations=true`);
  const guilds = await read("/users/@me/guilds");
  const channel = flags.channel === null ? null : await read(`/channels/${flags.channel}`);
  const cloudflare = await lookAtCloudflare(context);
  const { subdomain, worker } = cloudflare;
  const url = flags.url ?? (subdomain !== null && worker ? workerUrl(context.flags.name, subdomain) : null);
  return {
    now: clock.now(),
    node: flags.node,
    clockOffMs: own?.ok && own.date !== null ? clock.now() - own.date : null,
    token: readTokenState(given, fault, own),
    application,
    commands: commands?.ok ? commands.body : null,
    servers: guilds?.ok ? readServers(guilds.body) : null,
    channel: flags.channel === null || channel === null ? null : { id: flags.channel, isSeen: canSee(channel) },
    cloudflare,
    url,
    health: url === null ? null : await readHealth(context, url, variables.INSPECT_TOKEN),
    endpoint: url === null ? null : await askEndpoint(context, endpointAt(url)),
    model: await lookAtModel(context, flags),
    workersAi: await lookAtWorkersAi(context, cloudflare),
    devVars: flags.devVars,
    hasUtf16: flags.hasUtf16,
  };
}

/** Only a clear refusal means that the bot can't see the channel. */
const canSee = (channel: DiscordReply): boolean => channel.ok || channel.kind !== "refused";

function readTokenState(given: string, fault: TokenFault | null, own: DiscordReply | null): TokenState {
  if (given === "") return { kind: "missing" };
  if (fault !== null) return { kind: "shape", fault };
  if (own === null || own.ok) return { kind: "works" };
  if (own.kind === "token") return { kind: "refused" };
  return own.kind === "blocked" ? { kind: "blocked" } : { kind: "silent", sentence: discordText(own) };
}

async function lookAtCloudflare(context: StepContext): Promise<AccountFacts> {
  const wanted = context.variables.CLOUDFLARE_ACCOUNT_ID;
  const login = await readLogin(context, context.wranglerEnv(), wanted);
  const none = { login, account: null, subdomain: null, worker: null, isOnWorkersDev: null, failure: null };
  if (login.kind !== "in") return none;
  const accounts = wanted ? login.accounts.filter(({ id }) => id === wanted) : login.accounts;
  if (wanted && accounts.length === 0)
    return { ...none, failure: { ok: false, kind: "login", code: null, text: wrong.noSuchAccount } };
  const { name } = context.flags;
  let found: AccountFacts | null = null;
  for (const account of accounts) {
    const cloudflare = await context.cloudflare(account.id);
    if (typeof cloudflare === "string") return none;
    const worker = await cloudflare.readWorker(name);
    const subdomain = await cloudflare.readSubdomain();
    const isOn = worker.ok && worker.worker ? await cloudflare.isOnWorkersDev(name) : null;
    const facts: AccountFacts = {
      login,
      account,
      subdomain: subdomain.ok ? subdomain.name : null,
      worker: worker.ok ? worker.worker : null,
      isOnWorkersDev: isOn?.ok ? isOn.isOn : null,
      failure: worker.ok ? (subdomain.ok ? null : subdomain) : worker,
    };
    if (facts.worker !== null) return facts;
    // The Worker may be in an account that could not be read, so the failure is kept.
    if (accounts.length === 1) found = facts;
    else if (facts.failure !== null && facts.failure.kind !== "login") found ??= { ...none, failure: facts.failure };
  }
  return found ?? none;
}

/** Tries the model with a local key, the only kind that can be tried: the environment's, otherwise that of `.dev.vars`. */
async function lookAtModel({ variables, send, keepSecret }: StepContext, { devVars }: DoctorFlags) {
  const source = variables.OPENAI_API_KEY ? variables : (devVars ?? {});
  const key = trimKey(source.OPENAI_API_KEY ?? "");
  if (!key || (source === devVars && isForLocalDiscord(source))) return null;
  keepSecret(key);
  // Setup finds the provider of the environment's key and gives the Worker that address. The Worker itself assumes that every key is OpenAI's.
  const provider = providerOf(source === variables ? key : "");
  const access = {
    key,
    baseUrl: (source.OPENAI_BASE_URL || provider.baseUrl).replace(/\/+$/, ""),
    model: source.OPENAI_MODEL || provider.model,
  };
  return { access, trial: await tryModel(send, access) };
}

async function lookAtWorkersAi(context: StepContext, { account, worker }: AccountFacts) {
  if (!account || !worker?.hasAi || worker.names.includes("OPENAI_API_KEY")) return null;
  const cloudflare = await context.cloudflare(account.id);
  if (typeof cloudflare === "string")
    return { ok: false as const, kind: "login" as const, code: null, text: failure.notLoggedIn };
  const reply = await cloudflare.tryWorkersAi(workersAiModel(context.variables) ?? WORKERS_AI_MODEL);
  return reply.ok ? { ok: true as const } : reply;
}

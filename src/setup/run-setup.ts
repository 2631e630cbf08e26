// The setup itself: runs the next step for the known facts and adds what it learned, until the end or a failed step. Wherever a run ends,
// the next one continues.
import { DISCORD } from "../config/defaults.ts";
import { priceOf } from "../config/prices.ts";
import { inviteLink } from "../discord/invite-link.ts";
import { CLOUDFLARE, createCloudflareApi } from "./cloudflare-api.ts";
import * as cloudflare from "./cloudflare-steps.ts";
import { endText, failure, introText } from "./copy/setup.ts";
import { findUnwritable } from "./deploy-config.ts";
import { createDiscordApi } from "./discord-api.ts";
import * as discord from "./discord-steps.ts";
import { type Facts, NOTHING, type WorkerFacts } from "./facts.ts";
import { withName } from "./named-commands.ts";
import { nextStep, type Step } from "./plan.ts";
import type { SetupPorts, Terminal } from "./ports.ts";
import { removeLeftovers } from "./private-folder.ts";
import * as questions from "./question-steps.ts";
import { need, oldWorker, type SetupFlags, type StepContext, type StepEnd, workersAiModel } from "./step-context.ts";
import { readTheWorker } from "./worker-steps.ts";
import { readToken } from "./wrangler.ts";

/** Anything shorter also occurs in ordinary words and numbers, and in the doctor's JSON, so it is not hidden. */
const MIN_SECRET_CHARS = 8;

const STEPS: { [Name in Exclude<Step, "finish">]: (context: StepContext, facts: Facts) => Promise<StepEnd> } = {
  ask_token: discord.askToken,
  read_application: discord.readTheApplication,
  read_login: cloudflare.readTheLogin,
  log_in: cloudflare.logInSomehow,
  choose_account: cloudflare.chooseAccount,
  read_subdomain: cloudflare.readTheSubdomain,
  make_subdomain: cloudflare.makeSubdomain,
  read_worker: readTheWorker,
  look_for_other_program: discord.lookForOtherProgram,
  ask_model: questions.askModel,
  ask_strangers: questions.askStrangers,
  ask_limit: questions.askLimit,
  ask_gateway: questions.askGateway,
  set_intent: discord.setIntent,
  deploy: cloudflare.deployTheWorker,
  wait_for_health: cloudflare.waitForHealth,
  set_install_settings: discord.setInstallSettings,
  set_endpoint: discord.setEndpoint,
  register_commands: discord.registerCommands,
  read_servers: discord.readTheServers,
  show_invite: discord.showInvite,
  wait_for_server: discord.waitForServer,
  claim_server: cloudflare.claimServer,
};

/** Runs the setup until it is complete or a step fails. Returns the exit code. May run again at any time. */
export async function runSetup(ports: SetupPorts, flags: SetupFlags): Promise<0 | 1> {
  const context = createContext(ports, flags);
  const waits = context.terminal.canAsk;
  const temporary = removeLeftovers(ports.tempFolder);
  if (temporary !== null) {
    context.terminal.fail(temporary === "full" ? failure.noRoom : failure.noTempFolder(ports.tempFolder));
    return 1;
  }
  const unwritable = findUnwritable(ports.root);
  if (unwritable !== null) {
    context.terminal.fail(failure.notWritable(unwritable));
    return 1;
  }
  if (waits) context.terminal.tell(introText);
  let facts = NOTHING;
  for (;;) {
    const step = nextStep(facts, { waits });
    if (step === "finish") break;
    const end = await STEPS[step](context, facts);
    if (!end.ok) {
      context.terminal.fail(end.sentence);
      context.terminal.tell(failure.again);
      return 1;
    }
    facts = { ...facts, ...end.facts };
  }
  context.terminal.tell(describeEnd(facts, ports.variables));
  return 0;
}

const describeEnd = (facts: Facts, variables: SetupPorts["variables"]): string => {
  const { application, servers, model, dollarsPerDay, gateway, hasGateway } = facts;
  return endText({
    servers: need(servers).map(({ name }) => name),
    link: inviteLink(need(application).id),
    hasWorkersAi: model?.kind === "workers_ai" || (model?.kind === "kept" && isKeyless(oldWorker(facts))),
    dollarsPerDay: dollarsPerDay?.kind === "new" ? dollarsPerDay.value : null,
    isPriced: isPriced(model, variables),
    hasGateway: gateway?.kind === "new" ? gateway.value : hasGateway,
  });
};

/** Whether the price of the chosen model is known. Null: an earlier run chose the model. */
function isPriced(model: Facts["model"], variables: SetupPorts["variables"]): boolean | null {
  if (model === null || model.kind === "kept") return null;
  const name = model.kind === "key" ? model.model : workersAiModel(variables);
  // Without a name, it is the default model of Workers AI, whose price is known.
  return name === undefined || (name !== null && priceOf(name).price !== undefined);
}

/** Whether the Worker's model needs no key. */
const isKeyless = (worker: WorkerFacts | null): boolean =>
  worker?.hasAi === true && !worker.names.some((name) => name === "OPENAI_API_KEY" || name === "MODELS");

/** Extends the ports with what this run learns: the login, and which texts are secret. */
export function createContext(ports: SetupPorts, flags: SetupFlags): StepContext {
  const secrets = new Set<string>();
  const { variables } = ports;
  let apiToken = variables.CLOUDFLARE_API_TOKEN ?? null;
  if (apiToken) secrets.add(apiToken);
  let token: string | null = null;
  const wranglerEnv = (account?: string): Record<string, string> => ({
    ...(apiToken && { CLOUDFLARE_API_TOKEN: apiToken }),
    ...(account !== undefined && { CLOUDFLARE_ACCOUNT_ID: account }),
  });
  return {
    ...ports,
    flags,
    terminal: { ...scrubbed(ports.terminal, secrets, flags.name), canAsk: ports.terminal.canAsk && !flags.yes },
    discord: (botToken) =>
      createDiscordApi(ports.send, ports.clock, variables.DISCORD_API_BASE_URL ?? DISCORD, botToken),
    async cloudflare(accountId) {
      token ??= await readToken(ports, wranglerEnv());
      if (token === null) return failure.notLoggedIn;
      secrets.add(token);
      return createCloudflareApi(ports.send, variables.CLOUDFLARE_API_BASE_URL ?? CLOUDFLARE, token, accountId);
    },
    wranglerEnv,
    keepApiToken(given) {
      apiToken = given;
      token = null;
    },
    keepSecret: (secret) => void secrets.add(secret),
  };
}

/**
 * Wraps a terminal so that it hides secrets, even in another program's output, removes control characters from names, and adds the Worker's
 * name to commands.
 */
function scrubbed(terminal: Terminal, secrets: ReadonlySet<string>, name: string): Terminal {
  const clean = (text: string) =>
    [...secrets]
      .filter(({ length }) => length >= MIN_SECRET_CHARS)
      .reduce((left, secret) => left.replaceAll(secret, "[secret]"), withName(text, name))
      .replace(/[^\P{Cc}\n]/gu, " ");
  return {
    ...terminal,
    done: (line) => terminal.done(clean(line)),
    warn: (line) => terminal.warn(clean(line)),
    fail: (line) => terminal.fail(clean(line)),
    unseen: (line) => terminal.unseen(clean(line)),
    tell: (text) => terminal.tell(clean(text)),
  };
}

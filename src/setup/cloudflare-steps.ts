// The steps at Cloudflare: login, account, workers.dev name, deploy, and the server that may use the bot.

import { isSubdomain } from "./cloudflare-api.ts";
import { answerFault, CLOUDFLARE_TOKENS, done, failure, question, waiting, warning } from "./copy/setup.ts";
import { needsAi } from "./deploy-config.ts";
import type { Account, Facts } from "./facts.ts";
import { trimKey } from "./model-key.ts";
import { workerUrl } from "./plan.ts";
import {
  CANCELLED,
  cloudflareText,
  failed,
  learned,
  need,
  oldWorker,
  type StepContext,
  type StepEnd,
} from "./step-context.ts";
import { trimToken } from "./token-shape.ts";
import { findFreePlanEnd, fingerprintOf, type Health, readHealth } from "./worker-probe.ts";
import { buildSecrets } from "./worker-secrets.ts";
import { addSecrets, deploy, logIn, readLogin } from "./wrangler.ts";

const HEALTH_LIMIT_MS = 180_000;
const HEALTH_PAUSE_MS = 2_000;

/** Asks wrangler who is logged in, and with access to which accounts. */
export async function readTheLogin(context: StepContext): Promise<StepEnd> {
  const login = await readLogin(context, context.wranglerEnv(), context.variables.CLOUDFLARE_ACCOUNT_ID);
  if (login.kind === "failed") {
    const sentence = cloudflareText(login.failure);
    const isPasted = context.wranglerEnv().CLOUDFLARE_API_TOKEN !== context.variables.CLOUDFLARE_API_TOKEN;
    if (!isPasted || login.failure.kind !== "login") return failed(sentence);
    // If the run ended here, the next one would ask for the bot's token again, and Discord shows that only once.
    context.terminal.fail(sentence);
    context.keepApiToken(null);
    return learned({ accounts: "logged_out" });
  }
  return learned({ accounts: login.kind === "out" ? "logged_out" : login.accounts });
}

/** Lets the person choose how to log in, and logs in. The next step reads the login. */
export async function logInSomehow(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal } = context;
  if (!terminal.canAsk) return failed(failure.notLoggedIn);
  const how = await terminal.choose(question.login, [
    { value: "browser", label: question.loginBrowser },
    { value: "device", label: question.loginDevice },
    { value: "token", label: question.loginToken },
  ]);
  if (how === null) return CANCELLED;
  if (how !== "token") {
    const worked = await logIn(context, how === "device" ? "device" : "browser");
    return worked ? learned({ accounts: null }) : failed(failure.loginFailed);
  }
  terminal.tell(CLOUDFLARE_TOKENS);
  const pasted = await terminal.askSecret(question.apiToken, (text) => {
    if (trimToken(text) === facts.token) return answerFault.tokenAsLogin;
    return trimKey(text) ? null : answerFault.apiToken;
  });
  if (pasted === null) return CANCELLED;
  const token = trimKey(pasted);
  context.keepSecret(token);
  context.keepApiToken(token);
  return learned({ accounts: null });
}

/** Chooses the named account, the only one, or the one that already has the Worker, so that a second account never gets a second Worker. */
export async function chooseAccount(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, variables } = context;
  const accounts = Array.isArray(facts.accounts) ? facts.accounts : [];
  const wanted = variables.CLOUDFLARE_ACCOUNT_ID;
  const [only] = accounts;
  if (only === undefined) return failed(failure.noAccount);
  const chosen = async () => {
    if (wanted) return accounts.find(({ id }) => id === wanted) ?? "unknown";
    if (accounts.length === 1) return only;
    const owners = await listOwners(context, accounts);
    if (owners.length === 1) return owners[0] ?? null;
    if (!terminal.canAsk) return "several";
    const choices = accounts.map(({ id, name }) => ({ value: id, label: name }));
    const id = await terminal.choose(question.account, choices);
    return accounts.find((one) => one.id === id) ?? null;
  };
  const account = await chosen();
  if (account === null) return CANCELLED;
  if (account === "unknown") return failed(failure.unknownAccount);
  if (account === "several") return failed(failure.severalAccounts(accounts.map(({ name, id }) => `${name} (${id})`)));
  terminal.done(done.loggedIn(account.name));
  return learned({ account });
}

async function listOwners(context: StepContext, accounts: readonly Account[]) {
  const found: Account[] = [];
  for (const account of accounts) {
    const cloudflare = await context.cloudflare(account.id);
    const reply = typeof cloudflare === "string" ? null : await cloudflare.readWorker(context.flags.name);
    if (reply?.ok && reply.worker?.names.includes("DISCORD_APPLICATION_ID")) found.push(account);
  }
  return found;
}

/** Reads the account's workers.dev name; `none` if it has none. */
export async function readTheSubdomain(context: StepContext, facts: Facts): Promise<StepEnd> {
  const cloudflare = await context.cloudflare(need(facts.account).id);
  if (typeof cloudflare === "string") return failed(cloudflare);
  const reply = await cloudflare.readSubdomain();
  if (!reply.ok) return failed(cloudflareText(reply));
  if (reply.name !== null) context.terminal.done(done.subdomain(reply.name));
  return learned({ subdomain: reply.name ?? "none" });
}

/** Creates a workers.dev name for the account. If somebody else has the name, the person is asked for another one. */
export async function makeSubdomain(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, flags, variables } = context;
  const cloudflare = await context.cloudflare(need(facts.account).id);
  if (typeof cloudflare === "string") return failed(cloudflare);
  const given = variables.WORKERS_SUBDOMAIN;
  const mayAsk = terminal.canAsk && !given;
  if (!mayAsk && !given) return failed(failure.subdomainNeeded);
  // The doctor may not know the application.
  const suggestion = (facts.application?.name ?? flags.name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const answer = mayAsk
    ? await terminal.askText(question.subdomain, suggestion, (text) =>
        isSubdomain(readSubdomainName(text)) ? null : answerFault.subdomain,
      )
    : (given ?? null);
  if (answer === null) return CANCELLED;
  const name = readSubdomainName(answer);
  if (!isSubdomain(name)) return failed(answerFault.subdomain);
  const made = await cloudflare.makeSubdomain(name);
  if (!made.ok) return failed(cloudflareText(made));
  if (!made.isMine && !mayAsk) return failed(answerFault.subdomainTaken(name));
  if (!made.isMine) {
    terminal.warn(answerFault.subdomainTaken(name));
    return learned({ subdomain: "none" });
  }
  terminal.done(done.subdomain(name));
  return learned({ subdomain: name });
}

/** Reads a name as people write it: with spaces, capitals, or as the whole address. */
const readSubdomainName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/\.workers\.dev$/, "");

const NOT_DEPLOYED = {
  build: failure.build,
  no_room: () => failure.noRoom,
  login: failure.wranglerFailed,
  lost: failure.cloudflareLost,
  refused: failure.deploy,
};

/** Deploys the Worker together with its secrets. Deploying again does not create a second Worker. */
export async function deployTheWorker(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, flags } = context;
  const release = context.claimFiles();
  if (release === null) return failed(failure.otherDeploy);
  const stop = terminal.wait(waiting.deploy);
  const old = oldWorker(facts);
  const secrets = buildSecrets(facts, context.variables);
  const names = [...(old?.names ?? []), ...Object.keys(secrets)];
  const withAi = facts.model?.kind === "workers_ai" || needsAi({ names, hasAi: old?.hasAi === true });
  const deployed = await deploy(context, {
    name: flags.name,
    withAi,
    secrets,
    env: context.wranglerEnv(need(facts.account).id),
  }).finally(() => {
    stop();
    release();
  });
  if (!deployed.ok) return failed(NOT_DEPLOYED[deployed.kind](deployed.text));
  if (!deployed.hasCron) terminal.warn(warning.noCron);
  // A deploy only adds secrets, and a key that is still there would take precedence over Workers AI.
  if (facts.model?.kind === "workers_ai" && old?.names.includes("OPENAI_API_KEY")) {
    const secrets = { OPENAI_API_KEY: null };
    const env = context.wranglerEnv(need(facts.account).id);
    if (!(await addSecrets(context, { name: flags.name, secrets, env }))) return failed(failure.keyStays);
  }
  const url = deployed.url ?? workerUrl(flags.name, need(facts.subdomain));
  terminal.done(done.deployed(url));
  return learned({ url });
}

/** Waits until the new Worker answers: a new address takes time, and for a moment an old version may still answer. */
export async function waitForHealth(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, clock } = context;
  const url = need(facts.url);
  const { id, publicKey } = need(facts.application);
  const until = clock.now() + HEALTH_LIMIT_MS;
  const stop = terminal.wait(waiting.health);
  let gateway: string;
  try {
    for (;;) {
      const health = await readHealth(context, url);
      if (health.kind === "well" && health.applicationId === id && health.fingerprint === fingerprintOf(publicKey)) {
        gateway = health.gateway;
        break;
      }
      if (clock.now() >= until) {
        return failed(describeHealth(health, url));
      }
      await clock.sleep(HEALTH_PAUSE_MS);
    }
  } finally {
    stop();
  }
  terminal.done(done.healthy);
  const hasGateway = gateway !== "off";
  if (facts.isIntentNew && facts.gateway?.kind === "kept" && hasGateway) terminal.warn(warning.gatewayKeeps);
  return learned({ isHealthy: true, hasGateway });
}

/** Explains why the answer is not from the Worker that was deployed. */
function describeHealth(health: Health, url: string): string {
  if (health.kind === "well") return failure.healthOther;
  if (health.kind === "problems") return failure.healthProblems(health.problems);
  const which = findFreePlanEnd(health);
  return which === null ? failure.healthSilent(url) : failure.freePlan(which);
}

/** Allows the server to which the person has just added the bot, so that the owner need not write there first. */
export async function claimServer(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, flags } = context;
  const { id, name } = need(facts.joined);
  const isAdded =
    !oldWorker(facts)?.names.includes("ALLOWED_SERVERS") &&
    (await addSecrets(context, {
      name: flags.name,
      secrets: { ALLOWED_SERVERS: id },
      env: context.wranglerEnv(need(facts.account).id),
    }));
  if (isAdded) terminal.done(done.claimed(name));
  else terminal.warn(warning.notClaimed(name));
  return learned({ isClaimed: true });
}

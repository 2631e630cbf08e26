// The step that checks, before anything is deployed, whose Worker has this name.
import { done, failure } from "./copy/setup.ts";
import type { Facts } from "./facts.ts";
import { endpointAt, programAt, workerUrl } from "./plan.ts";
import { cloudflareText, failed, learned, need, type StepContext, type StepEnd } from "./step-context.ts";
import { findFreePlanEnd, type Health, readHealth } from "./worker-probe.ts";

const HEALTH_PAUSE_MS = 2_000;
const HEALTH_TRIES = 3;

/** Reads the Worker of this name. Fails if it belongs to another program or application, so that it is never overwritten. */
export async function readTheWorker(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, flags } = context;
  const cloudflare = await context.cloudflare(need(facts.account).id);
  if (typeof cloudflare === "string") return failed(cloudflare);
  const reply = await cloudflare.readWorker(flags.name);
  if (!reply.ok) return failed(cloudflareText(reply));
  if (reply.worker === null) {
    const elsewhere = await findElsewhere(context, facts);
    if (elsewhere !== null) return failed(failure.runsElsewhere(elsewhere));
    terminal.done(done.workerNew(flags.name));
    return learned({ worker: "none" });
  }
  if (!reply.worker.names.includes("CHANNEL")) return failed(failure.notParley(flags.name));
  const url = workerUrl(flags.name, need(facts.subdomain));
  const health = await readPatiently(context, url);
  const { id, endpointUrl } = need(facts.application);
  if (health.kind === "well" && health.applicationId !== id)
    return failed(failure.otherApplication(flags.name, health.applicationId));
  // Until the allowance returns, the Worker can't say whose it is. Only Discord can, by calling it.
  const which = health.kind === "silent" ? findFreePlanEnd(health) : null;
  if (which !== null && endpointUrl !== endpointAt(url)) return failed(failure.freePlan(which));
  // A Worker with a custom address may be any bot's. It is ours if Discord reaches this bot at such an address.
  if (health.kind === "silent" && (await findElsewhere(context, facts)) === null) {
    const under = await cloudflare.isOnWorkersDev(flags.name);
    if (!under.ok) return failed(cloudflareText(under));
    if (!under.isOn) return failed(failure.offWorkersDev(flags.name));
  }
  terminal.done(done.workerOld(flags.name));
  // MODELS is a secret and can't be read, but the Worker reports if one of its models needs the binding.
  const asksForAi = health.kind === "problems" && health.problems.some((problem) => /no binding AI/.test(problem));
  return learned({ worker: { ...reply.worker, hasAi: reply.worker.hasAi || asksForAi } });
}

/** Reads `/health` with retries: one lost request must not make a running Worker look unfinished or gone. */
async function readPatiently(context: StepContext, url: string): Promise<Health> {
  let health = await readHealth(context, url);
  for (let tries = 1; health.kind === "silent" && tries < HEALTH_TRIES; tries++) {
    await context.clock.sleep(HEALTH_PAUSE_MS);
    health = await readHealth(context, url);
  }
  return health;
}

/**
 * Returns the address where Discord calls this bot, if the bot answers there: a Worker in another account, or with another name. A new Worker
 * next to it would have none of its data, and both would answer mentions.
 */
async function findElsewhere(context: StepContext, { application }: Facts): Promise<string | null> {
  const { id, endpointUrl } = need(application);
  if (!endpointUrl) return null;
  const url = programAt(endpointUrl);
  const health = await readPatiently(context, url);
  return health.kind === "well" && health.applicationId === id ? url : null;
}

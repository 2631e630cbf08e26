// The step that looks whose the Worker of this name is, before anything is deployed.
import { done, failure } from "./copy/setup.ts";
import type { Facts } from "./facts.ts";
import { endpointAt, programAt, workerUrl } from "./plan.ts";
import { cloudflareText, failed, learned, need, type StepContext, type StepEnd } from "./step-context.ts";
import { findFreePlanEnd, type Health, readHealth } from "./worker-probe.ts";

const HEALTH_PAUSE_MS = 2_000;
const HEALTH_TRIES = 3;

/** A Worker of this name that is another program's, or another application's, is never overwritten. */
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
  // Until the allowance returns it can't say whose it is, unless Discord does.
  const which = health.kind === "silent" ? findFreePlanEnd(health) : null;
  if (which !== null && endpointUrl !== endpointAt(url)) return failed(failure.freePlan(which));
  // At an address of its own it may be any bot's, unless Discord calls this one somewhere.
  if (health.kind === "silent" && (await findElsewhere(context, facts)) === null) {
    const under = await cloudflare.isOnWorkersDev(flags.name);
    if (!under.ok) return failed(cloudflareText(under));
    if (!under.isOn) return failed(failure.offWorkersDev(flags.name));
  }
  terminal.done(done.workerOld(flags.name));
  // Nobody can read what is in MODELS, but the Worker says that one of them asks for the binding.
  const asksForAi = health.kind === "problems" && health.problems.some((problem) => /no binding AI/.test(problem));
  return learned({ worker: { ...reply.worker, hasAi: reply.worker.hasAi || asksForAi } });
}

/** One lost request must not make a Worker that runs look like one that was never finished, or is gone. */
async function readPatiently(context: StepContext, url: string): Promise<Health> {
  let health = await readHealth(context, url);
  for (let tries = 1; health.kind === "silent" && tries < HEALTH_TRIES; tries++) {
    await context.clock.sleep(HEALTH_PAUSE_MS);
    health = await readHealth(context, url);
  }
  return health;
}

/**
 * Where Discord calls this bot, if it answers there: another account's Worker, or one of another name. A new one beside it would know
 * nothing, and both would answer mentions.
 */
async function findElsewhere(context: StepContext, { application }: Facts): Promise<string | null> {
  const { id, endpointUrl } = need(application);
  if (!endpointUrl) return null;
  const url = programAt(endpointUrl);
  const health = await readPatiently(context, url);
  return health.kind === "well" && health.applicationId === id ? url : null;
}

// The doctor: looks at everything and prints a line for each row. With --fix, it fixes what it can and looks again before it prints.
import { makeSubdomain } from "./cloudflare-steps.ts";
import { mended, rowNames, summaryText, tokenQuestion } from "./copy/doctor.ts";
import { failure, warning } from "./copy/setup.ts";
import { diagnoseDiscord } from "./diagnose-discord.ts";
import { diagnoseRest } from "./diagnose-rest.ts";
import type { Finding, Mend } from "./diagnosis.ts";
import { type DoctorFacts, type DoctorFlags, lookAround } from "./doctor-facts.ts";
import { NOTHING } from "./facts.ts";
import { endpointAt } from "./plan.ts";
import type { SetupPorts, Terminal } from "./ports.ts";
import { createContext } from "./run-setup.ts";
import { discordText, need, type StepContext } from "./step-context.ts";
import { trimToken } from "./token-shape.ts";
import { wantedCommands, withMessageContent } from "./wanted.ts";
import { describeEndpoint } from "./worker-probe.ts";

/** The options of a run. */
export interface RunDoctor extends DoctorFlags {
  name: string;
  fix: boolean;
  json: boolean;
}

/** Looks, and prints. Returns the exit code: 1 if something is wrong. May run at any time; changes nothing without --fix. */
export async function runDoctor(given: SetupPorts, run: RunDoctor): Promise<0 | 1> {
  const ports = await withToken(run.json ? { ...given, terminal: silent(given.terminal) } : given);
  if (ports === null) {
    given.terminal.fail(failure.cancelled);
    return 1;
  }
  const context = createContext(ports, { yes: false, name: run.name, newKey: false });
  for (const name of ["INSPECT_TOKEN", "OPENAI_API_KEY"]) context.keepSecret(ports.variables[name] ?? "");
  const look = async () => {
    const facts = await lookAround(context, run);
    return { facts, findings: [...diagnoseDiscord(facts), ...diagnoseRest(facts, run.name)] };
  };
  let { facts, findings } = await look();
  const mends = [...new Set(findings.flatMap(({ mend }) => (mend === null ? [] : [mend])))];
  if (run.fix && mends.length > 0) {
    for (const mend of mends) {
      const why = await MENDS[mend](context, facts);
      const name = rowNames[findings.find((one) => one.mend === mend)?.row ?? 1];
      if (run.json) continue;
      context.terminal.tell(why === null ? mended.done(name) : mended.failed(name, why));
      const { health } = facts;
      const isConnected = health?.kind === "well" && health.gateway !== "off";
      if (mend === "intent" && why === null && isConnected) context.terminal.tell(warning.gatewayKeeps);
    }
    ({ facts, findings } = await look());
  }
  if (run.json) context.terminal.tell(JSON.stringify(findings.map(toJson), null, 2));
  else print(context, findings);
  return findings.some(({ ok }) => ok === false) ? 1 : 0;
}

/** A terminal that prints only what is passed to `tell`, and asks nothing. */
const silent = (terminal: Terminal): Terminal => {
  const nothing = () => {};
  const marks = { done: nothing, warn: nothing, fail: nothing, unseen: nothing, wait: () => nothing };
  return { ...terminal, ...marks, canAsk: false };
};

/** Asks for the token if the environment has none. After an empty answer, the doctor runs without it. Null: the person gave up. */
async function withToken(ports: SetupPorts): Promise<SetupPorts | null> {
  const { terminal, variables } = ports;
  if (variables.DISCORD_BOT_TOKEN || !terminal.canAsk) return ports;
  const pasted = await terminal.askSecret(tokenQuestion, () => null);
  if (pasted === null) return null;
  return { ...ports, variables: { ...variables, DISCORD_BOT_TOKEN: pasted || undefined } };
}

const toJson = ({ row, ok, sentence, run }: Finding) => ({ row, name: rowNames[row], ok, sentence, run });

function print({ terminal }: StepContext, findings: readonly Finding[]): void {
  for (const { row, ok, sentence, run } of findings) {
    const line = `${rowNames[row]}: ${sentence}${run === null ? "" : ` → ${run}`}`;
    if (ok === true) terminal.done(line);
    else if (ok === false) terminal.fail(line);
    else terminal.unseen(line);
  }
  terminal.tell(summaryText(findings.filter(({ ok }) => ok === false).length));
}

/** The fixes. Each returns null if it worked, otherwise why not. All may run twice. */
const MENDS: { [Name in Mend]: (context: StepContext, facts: DoctorFacts) => Promise<string | null> } = {
  async endpoint(context, { url }) {
    const endpointUrl = endpointAt(need(url));
    const reply = await discordOf(context).patch("/applications/@me", { interactions_endpoint_url: endpointUrl });
    if (reply.ok) return null;
    return reply.kind === "endpoint"
      ? failure.endpoint(await describeEndpoint(context, endpointUrl))
      : discordText(reply);
  },
  async intent(context, { application }) {
    const flags = withMessageContent(need(application).flags);
    const reply = await discordOf(context).patch("/applications/@me", { flags });
    return reply.ok ? null : discordText(reply);
  },
  async commands(context, { application, commands }) {
    const path = `/applications/${need(application).id}/commands`;
    const reply = await discordOf(context).put(path, wantedCommands(commands));
    return reply.ok ? null : discordText(reply);
  },
  async subdomain(context, { application, cloudflare }) {
    for (;;) {
      const end = await makeSubdomain(context, { ...NOTHING, application, account: cloudflare.account });
      if (!end.ok) return end.sentence;
      // Somebody else has the name, so the person is asked for another one.
      if (end.facts.subdomain !== "none") return null;
    }
  },
};

const discordOf = ({ variables, discord }: StepContext) => discord(trimToken(variables.DISCORD_BOT_TOKEN ?? ""));

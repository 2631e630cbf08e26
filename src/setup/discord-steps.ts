// The steps at Discord: token, application, settings, endpoint, commands, and the bot's servers.

import { inviteLink } from "../discord/invite-link.ts";
import { done, failure, inviteText, question, tokenFaultText, waiting, warning } from "./copy/setup.ts";
import { type DiscordFailure, readApplication, readServers } from "./discord-api.ts";
import type { Facts } from "./facts.ts";
import { endpointAt, programAt, workerUrl } from "./plan.ts";
import { CANCELLED, discordText, failed, learned, need, type StepContext, type StepEnd } from "./step-context.ts";
import { findTokenFault, trimToken } from "./token-shape.ts";
import {
  areCurrent,
  COMMAND_COUNT,
  installSettings,
  listForeign,
  wantedCommands,
  withMessageContent,
} from "./wanted.ts";
import { askEndpoint, describeEndpoint, readHealth } from "./worker-probe.ts";

/** How long Discord may refuse a new address, which takes time to become known everywhere. */
const ENDPOINT_LIMIT_MS = 180_000;
const ENDPOINT_PAUSE_MS = 5_000;
const SERVER_LIMIT_MS = 1_800_000;
const SERVER_PAUSE_MS = 3_000;

/** Takes the bot's token from the environment, or asks for it. Checks only its form. */
export async function askToken({ variables, terminal, keepSecret }: StepContext): Promise<StepEnd> {
  const given = variables.DISCORD_BOT_TOKEN;
  if (given) {
    keepSecret(trimToken(given));
    const fault = findTokenFault(given);
    return fault === null ? learned({ token: trimToken(given) }) : failed(failure.tokenVariable(tokenFaultText[fault]));
  }
  if (!terminal.canAsk) return failed(failure.needsVariable("DISCORD_BOT_TOKEN"));
  const pasted = await terminal.askSecret(question.token, (text) => {
    const fault = findTokenFault(text);
    return fault === null ? null : tokenFaultText[fault];
  });
  if (pasted === null) return CANCELLED;
  keepSecret(trimToken(pasted));
  return learned({ token: trimToken(pasted) });
}

/** Reads the application that the token belongs to. If Discord refuses a pasted token, the person is asked again. */
export async function readTheApplication(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, variables } = context;
  const { OWNER_IDS: owners } = variables;
  // With such a value the Worker would accept no question.
  if (owners && /[^\d\s,]|\d{21}/.test(owners)) return failed(failure.notIds("OWNER_IDS"));
  const reply = await context.discord(need(facts.token)).get("/applications/@me");
  if (!reply.ok && reply.kind === "token") {
    if (variables.DISCORD_BOT_TOKEN) return failed(failure.tokenVariable(failure.tokenRefused));
    terminal.fail(failure.tokenRefused);
    return learned({ token: null });
  }
  if (!reply.ok) return failed(discordText(reply));
  const application = readApplication(reply.body);
  if (!application) return failed(failure.discordRefused("no application"));
  terminal.done(done.application(application.name, application.ownerIds.length));
  if (application.ownerIds.length === 0 && !owners) terminal.warn(warning.noOwners);
  if (application.needsCodeGrant) terminal.warn(warning.codeGrant);
  return learned({ application });
}

/** Asks before Parley replaces another program, which would then receive nothing and lose its commands. */
export async function lookForOtherProgram(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal } = context;
  const { endpointUrl } = need(facts.application);
  const other = endpointUrl === null ? await findByCommands(context, facts) : await findAt(endpointUrl, context, facts);
  if (other !== null && "ok" in other) return failed(discordText(other));
  if (other === null) return learned({ isPlaceFree: true });
  if (!terminal.canAsk) {
    terminal.warn(other.warning);
    return learned({ isPlaceFree: true });
  }
  const isAgreed = await terminal.askYesNo(other.question, false);
  if (isAgreed === null) return CANCELLED;
  return isAgreed ? learned({ isPlaceFree: true }) : failed(failure.notTakenOver);
}

/** The sentences about another program that answers commands. Null: there is no other program. */
type OtherProgram = { question: string; warning: string } | null;

/** Looks at the address that Discord has. A program that answers 401 to a wrong signature is an endpoint: Discord requires that answer. */
async function findAt(old: string, context: StepContext, facts: Facts): Promise<OtherProgram> {
  if (old === endpointAt(workerUrl(context.flags.name, need(facts.subdomain)))) return null;
  const health = await readHealth(context, programAt(old));
  const isOurs = health.kind === "well" && health.applicationId === need(facts.application).id;
  if (isOurs || (await askEndpoint(context, old)).status !== 401) return null;
  return { question: question.takeOver(old), warning: warning.takesOver(old) };
}

/** If Discord has no address, another program may be connected to the Gateway. Then only its commands show that it exists. */
async function findByCommands(context: StepContext, facts: Facts): Promise<OtherProgram | DiscordFailure> {
  if (facts.worker !== "none") return null;
  const found = await context.discord(need(facts.token)).get(`/applications/${need(facts.application).id}/commands`);
  if (!found.ok) return found;
  const names = listForeign(found.body);
  return names.length === 0 ? null : { question: question.takeCommands(names), warning: warning.takesCommands(names) };
}

/** Sets the install settings. Discord may refuse them for a private application; the invite link works without them. */
export async function setInstallSettings(context: StepContext, facts: Facts): Promise<StepEnd> {
  const application = need(facts.application);
  const wanted = installSettings(application.installSettings);
  const reply = await context
    .discord(need(facts.token))
    .patch("/applications/@me", { integration_types_config: wanted });
  if (!reply.ok && reply.kind !== "refused") return failed(discordText(reply));
  if (!reply.ok) {
    context.terminal.warn(warning.installRefused);
    return learned({ isInstallRefused: true });
  }
  context.terminal.done(done.installSettings);
  return learned({ application: { ...application, installSettings: wanted } });
}

/** Switches the Message Content intent on. Discord reviews an application in many servers first; the bot works without the intent. */
export async function setIntent(context: StepContext, facts: Facts): Promise<StepEnd> {
  const application = need(facts.application);
  const flags = withMessageContent(application.flags);
  const reply = await context.discord(need(facts.token)).patch("/applications/@me", { flags });
  if (!reply.ok && reply.kind !== "refused") return failed(discordText(reply));
  if (!reply.ok) {
    context.terminal.warn(warning.intentRefused);
    return learned({ isIntentRefused: true });
  }
  context.terminal.done(done.intent);
  return learned({ application: { ...application, flags }, isIntentNew: true });
}

/** Gives Discord the Worker's address. Discord calls the Worker before it stores the address, and may not yet be able to resolve a new one. */
export async function setEndpoint(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, clock } = context;
  const endpointUrl = endpointAt(need(facts.url));
  const until = clock.now() + ENDPOINT_LIMIT_MS;
  const stop = terminal.wait(waiting.endpoint);
  try {
    for (;;) {
      const reply = await context.discord(need(facts.token)).patch("/applications/@me", {
        interactions_endpoint_url: endpointUrl,
      });
      if (reply.ok) break;
      if (reply.kind !== "endpoint") return failed(discordText(reply));
      if (clock.now() >= until) return failed(failure.endpoint(await describeEndpoint(context, endpointUrl)));
      await clock.sleep(ENDPOINT_PAUSE_MS);
    }
  } finally {
    stop();
  }
  terminal.done(done.endpoint);
  return learned({ application: { ...need(facts.application), endpointUrl } });
}

/** Registers the commands, unless they are already current: Discord allows 200 new ones a day. */
export async function registerCommands(context: StepContext, facts: Facts): Promise<StepEnd> {
  const discord = context.discord(need(facts.token));
  const path = `/applications/${need(facts.application).id}/commands`;
  const found = await discord.get(`${path}?with_localizations=true`);
  if (!found.ok) return failed(discordText(found));
  if (!areCurrent(found.body)) {
    const put = await discord.put(path, wantedCommands(found.body));
    if (!put.ok) return failed(discordText(put));
  }
  context.terminal.done(done.commands(COMMAND_COUNT));
  return learned({ areCommandsRegistered: true });
}

/** Reads the servers that the bot is in. */
export async function readTheServers(context: StepContext, facts: Facts): Promise<StepEnd> {
  const reply = await context.discord(need(facts.token)).get("/users/@me/guilds");
  if (!reply.ok) return failed(discordText(reply));
  const servers = readServers(reply.body);
  if (servers.length > 0) context.terminal.done(done.servers(servers.map(({ name }) => name)));
  return learned({ servers });
}

/** Shows the invite link, and opens it in a browser if somebody is there to press Enter. */
export async function showInvite(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal } = context;
  const { id, isPublic, ownerName } = need(facts.application);
  const link = inviteLink(id);
  terminal.tell(inviteText(link, isPublic, ownerName));
  if (!terminal.canAsk) return learned({ isInviteShown: true });
  const pressed = await terminal.askText(question.openInvite, "", () => null);
  if (pressed === null) return CANCELLED;
  await context.openBrowser(link);
  return learned({ isInviteShown: true });
}

/** Waits up to half an hour until the bot is in a server. */
export async function waitForServer(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal } = context;
  const stop = terminal.wait(waiting.server);
  const end = await lookForServer(context, facts).finally(stop);
  if (end.ok && end.facts.joined) terminal.done(done.joined(end.facts.joined.name));
  return end;
}

async function lookForServer({ clock, discord }: StepContext, facts: Facts): Promise<StepEnd> {
  const until = clock.now() + SERVER_LIMIT_MS;
  for (;;) {
    const reply = await discord(need(facts.token)).get("/users/@me/guilds");
    if (!reply.ok && reply.kind !== "unreachable" && reply.kind !== "down") return failed(discordText(reply));
    const servers = reply.ok ? readServers(reply.body) : [];
    const [joined] = servers;
    if (joined) return learned({ servers, joined });
    if (clock.now() >= until) return failed(failure.noServer);
    await clock.sleep(SERVER_PAUSE_MS);
  }
}

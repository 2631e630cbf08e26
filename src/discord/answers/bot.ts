// /bot status, /bot usage and /bot reset: what the channel is doing, what it has used, and how it forgets its conversation.
import { DEPLOYMENT, scopeName } from "../../core/access/scope-copy.ts";
import { usageText, type WiderUsage } from "../../core/copy/budgets.ts";
import { gatewayLine } from "../../core/copy/gateway.ts";
import { missingIn } from "../../core/copy/install-context.ts";
import { say } from "../../core/copy/notices.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { statusText } from "../../core/copy/status.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import { type AnswerPorts, inherited, reach, readViewer } from "./channel-port.ts";
import { personOf } from "./gate.ts";

/** Shows what is running, who is waiting, what is unavailable here, and whether it hears messages. */
export async function status(actor: Actor, ports: AnswerPorts): Promise<object> {
  const [report, gateway] = await Promise.all([
    reach(actor, ports, "status", (channel) => channel.status(actor.userId)),
    ports.gateway(),
  ]);
  if (!report) return privately(UNAVAILABLE);
  const sentences = [gatewayLine(gateway) ?? [], missingIn(actor.installContext, ports.hasBotToken)].flat();
  return privately([statusText(report), ...sentences.map((sentence) => `-# ${sentence}`)].join("\n"));
}

/** Forgets the conversation, and says how many reminders remain. A second run clears nothing more. */
export async function reset(actor: Actor, ports: AnswerPorts): Promise<object> {
  const forgotten = await reach(actor, ports, "reset", (channel) => channel.reset());
  if (forgotten === null) return privately(UNAVAILABLE);
  const reminders = await reach(actor, ports, "reminders", (channel) => channel.reminders(readViewer(actor)));
  return privately(say.reset(forgotten, reminders?.length));
}

/** Shows what this person and the channel have used today, and what their scope counts of today and this month. */
export async function usage(actor: Actor, ports: AnswerPorts): Promise<object> {
  const [report, wider] = await Promise.all([
    reach(actor, ports, "usage", async (channel) =>
      channel.usage(actor.userId, (await inherited(actor, ports)).parentSettings),
    ),
    widerUsage(actor, ports),
  ]);
  return privately(report ? usageText(report, wider) : UNAVAILABLE);
}

async function widerUsage(actor: Actor, { access, logError }: AnswerPorts): Promise<WiderUsage> {
  const { isServerInstall, guildId } = personOf(actor);
  const scope = scopeName(isServerInstall ? guildId : null);
  try {
    const used = await access.scope(scope).usage(actor.userId, actor.channelId);
    return { of: scope === DEPLOYMENT ? "outside" : "server", usage: used };
  } catch (error) {
    logError("a scope can't be reached", { scope, error: String(error) });
    return "unknown";
  }
}

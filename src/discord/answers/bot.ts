// /bot status, /bot usage and /bot reset: what the channel is doing, what it has used, and how it forgets its conversation.

import { changeText } from "../../core/copy/changes.ts";
import { gatewayLine } from "../../core/copy/gateway.ts";
import { missingIn } from "../../core/copy/install-context.ts";
import { ownerText } from "../../core/copy/owner-answers.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { statusText } from "../../core/copy/status.ts";
import { OTHERS_USAGE, usageText, type WiderUsage } from "../../core/copy/usage.ts";
import { conversationName } from "../../core/state/private-turns.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import { type AnswerPorts, inherited, reach, readViewer, scopeNote } from "./channel-port.ts";
import { isServerInstall } from "./gate.ts";
import { readUserId } from "./owner.ts";
import { reachOf, reachScope, scopeOf } from "./reach-scope.ts";

/** Shows what is running, who is waiting, what is unavailable here, and whether the bot hears messages. */
export async function status(actor: Actor, ports: AnswerPorts): Promise<object> {
  const [report, gateway] = await Promise.all([
    reach(actor, ports, "status", (channel) => channel.status(actor.userId)),
    ports.gateway(),
  ]);
  if (!report) return privately(UNAVAILABLE);
  const sentences = [
    gatewayLine(gateway, report.commandsOnly && actor.guildId !== null) ?? [],
    missingIn(actor.installContext, ports.hasBotToken),
  ].flat();
  return privately([statusText(report), ...sentences.map((sentence) => `-# ${sentence}`)].join("\n"));
}

/** Forgets the conversation, and says how many reminders remain. */
export async function reset(actor: Actor, ports: AnswerPorts): Promise<object> {
  const forgotten = await reach(actor, ports, "reset", (channel) => channel.reset(actor.interactionId));
  if (forgotten === undefined) return privately(UNAVAILABLE);
  const reminders = await reach(actor, ports, "reminders", (channel) => channel.reminders(readViewer(actor)));
  return privately(changeText.reset(forgotten, reminders?.length));
}

/**
 * Shows what this person and the channel have used today, and what their scope has counted today and this month. `person`: the person whose
 * figures a moderator of a server wants to see, as typed. Outside servers everyone sees only their own.
 */
export async function usage(actor: Actor, ports: AnswerPorts, person: string | null): Promise<object> {
  const userId = person === null ? actor.userId : readUserId(person);
  if (userId === null) return privately(ownerText.notAnId("user"));
  const isOwn = userId === actor.userId;
  if (!isOwn && !(actor.moderator && isServerInstall(actor))) return privately(OTHERS_USAGE);
  const [report, wider] = await Promise.all([
    reach(actor, ports, "usage", async (channel) =>
      channel.usage(userId, (await inherited(actor, ports)).parentSettings, scopeNote(ports).scope),
    ),
    widerUsage(actor, ports, userId),
  ]);
  return privately(report ? usageText(report, wider, isOwn ? null : userId) : UNAVAILABLE);
}

async function widerUsage(actor: Actor, ports: AnswerPorts, userId: string): Promise<WiderUsage> {
  const usage = await reachScope(scopeOf(actor), ports, (scope) => scope.usage(userId, conversationName(actor)));
  return { of: reachOf(actor), usage };
}

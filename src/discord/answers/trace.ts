// /bot trace: what happened in a turn, step by step.

import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { traceChoiceText, traceText } from "../../core/copy/trace.ts";
import type { Actor } from "../interactions/parse.ts";
import { type Choice, privately } from "../interactions/respond.ts";
import { type AnswerPorts, reach, readViewer } from "./channel-port.ts";
import { isServerInstall } from "./gate.ts";

/** Shows the timeline of one turn; for null, of the newest. */
export async function trace(actor: Actor, ports: AnswerPorts, asked: string | null): Promise<object> {
  // After a person has looked into another channel, Discord sends a choice's name instead of its value (discord-api-docs#7206). Ids have no spaces.
  const offered = asked?.includes(" ") ? await suggestTurn(actor, ports) : [];
  const turnId = offered.find(({ name }) => name === asked)?.value ?? asked;
  const report = await reach(actor, ports, "trace", (channel) => channel.trace(turnId, readViewer(actor)));
  // In a direct message, and in a server of theirs that has not added the bot, a person counts as a moderator. But the provider's words are about
  // the account of the bot's owner.
  const readsAll = (actor.moderator && isServerInstall(actor)) || ports.access.isOwner(actor.userId);
  return privately(report === undefined ? UNAVAILABLE : traceText(report, ports.now(), readsAll));
}

/**
 * Suggests the newest turns, by who asked and what. If choices have the same name, Discord takes the first, whichever one a person clicks
 * (discord-api-docs#8565), so the names are made unique.
 */
export async function suggestTurn(actor: Actor, ports: AnswerPorts): Promise<readonly Exclude<Choice, string>[]> {
  const turns = (await reach(actor, ports, "recentTurns", (channel) => channel.recentTurns(readViewer(actor)))) ?? [];
  const names = turns.map((turn) => traceChoiceText(turn));
  const newer = (at: number) => names.slice(0, at).filter((name) => name === names[at]).length;
  return turns.map((turn, at) => ({ name: traceChoiceText(turn, newer(at)), value: turn.turnId }));
}

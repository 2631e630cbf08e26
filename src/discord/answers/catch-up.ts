// /catch-up: asks for a turn that says, to this person alone, what they missed in the channel. Refuses if the bot or the person can't read it.
import { CATCH_UP_QUESTION, type Unreadable, unreadableText } from "../../core/copy/catch-up.ts";
import { isBotMember } from "../../core/state/install-context.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately, thinkingPrivately } from "../interactions/respond.ts";
import { buildTurnRequest, submit } from "./ask.ts";
import type { AnswerPorts } from "./channel-port.ts";

/** Asks for the turn. `hours`: how far back to read; undefined: since their last message. The same interaction may come twice. */
export async function catchUp(actor: Actor, ports: AnswerPorts, hours: number | undefined): Promise<object> {
  const unreadable = findUnreadable(actor, ports);
  if (unreadable) return privately(unreadableText[unreadable]);
  const request = buildTurnRequest(actor, ports.now(), CATCH_UP_QUESTION);
  const asked = { ...request, privateTo: actor.userId, catchUp: { hours: hours ?? null } };
  return submit(actor, ports, asked, null, thinkingPrivately);
}

function findUnreadable({ installContext, readsHistory }: Actor, { hasBotToken }: AnswerPorts): Unreadable | null {
  if (!hasBotToken) return "no_token";
  if (!isBotMember(installContext)) return "not_a_member";
  if (!readsHistory.person) return "asker";
  return readsHistory.bot ? null : "bot";
}

// /catch-up: asks for a turn that tells this person alone what they missed in the channel. Refuses where the bot or the person can't read it.
import { CATCH_UP_QUESTION, type Unreadable, unreadableText } from "../../core/copy/catch-up.ts";
import { refusalText, UNAVAILABLE } from "../../core/copy/refusals.ts";
import { isBotMember } from "../../core/state/install-context.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately, thinkingPrivately } from "../interactions/respond.ts";
import { buildTurnRequest } from "./ask.ts";
import { type AnswerPorts, inherited, ownership, reach, scopeNote } from "./channel-port.ts";

/** Takes the command. `hours`: how far back; undefined: since their last message. The same interaction may come twice. */
export async function catchUp(actor: Actor, hours: number | undefined, ports: AnswerPorts): Promise<object> {
  const unreadable = findUnreadable(actor, ports);
  if (unreadable) return privately(unreadableText[unreadable]);
  const request = buildTurnRequest(actor, CATCH_UP_QUESTION, [], ports.now());
  const catchUp = { hours: hours ?? null };
  const receipt = await reach(actor, ports, "submit", async (channel) =>
    channel.submit({
      trigger: { ...request, ...ownership(actor, ports), privateTo: actor.userId, catchUp },
      roles: actor.roles,
      ...scopeNote(ports),
      ...(await inherited(actor, ports)),
    }),
  );
  if (!receipt) return privately(UNAVAILABLE);
  return receipt.kind === "accepted" ? thinkingPrivately() : privately(refusalText(receipt.refusal));
}

function findUnreadable({ installContext, readsHistory }: Actor, { hasBotToken }: AnswerPorts): Unreadable | null {
  if (!hasBotToken) return "no_token";
  if (!isBotMember(installContext)) return "not_a_member";
  if (!readsHistory.person) return "asker";
  return readsHistory.bot ? null : "bot";
}

// Everything that ends a turn: /stop, /bot kill and the Stop button. The channel's object decides who may.

import { stopText } from "../../core/copy/control-answers.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import type { StopAnswer, StopRequest } from "../../core/state/rpc.ts";
import type { Actor } from "../interactions/parse.ts";
import { acknowledged, privately } from "../interactions/respond.ts";
import { type AnswerPorts, reach, scopeNote, surroundings } from "./channel-port.ts";
import { inTime } from "./in-time.ts";

/** Handles a command: it names no turn, and its answer says what was stopped. */
export async function stopByCommand(actor: Actor, ports: AnswerPorts, kind: "stop" | "kill"): Promise<object> {
  const answer = await askToStop(actor, ports, { kind, turnId: null });
  return privately(answer ? stopText(answer) : UNAVAILABLE);
}

/**
 * Handles a click on Stop. If the person may stop the turn, the click is acknowledged and the object reports the outcome; anyone
 * else gets a private sentence at once.
 */
export async function stopByButton(
  actor: Actor,
  ports: AnswerPorts,
  { turnId, messageId }: { turnId: string; messageId: string },
): Promise<object> {
  const reply = { applicationId: actor.applicationId, token: actor.token };
  const answer = await askToStop(actor, ports, { kind: "stop", turnId, reply, messageId });
  if (!answer) return privately(UNAVAILABLE);
  return answer.result === "not_allowed" ? privately(stopText(answer)) : acknowledged();
}

/** How long to wait for inherited settings, in ms. Whatever is wrong with the object that has them, the turn's own object must still stop it. */
const ABOVE_MS = 1000;

async function askToStop(
  actor: Actor,
  ports: AnswerPorts,
  wanted: Pick<StopRequest, "kind" | "turnId" | "reply" | "messageId">,
): Promise<StopAnswer | undefined> {
  const { interactionId, userId, userName, moderator, roles } = actor;
  const around = await inTime(ports.after, ABOVE_MS, () => surroundings(actor, ports)).catch((error: unknown) => {
    ports.logError("channel object unreachable", { method: "settings", error: String(error) });
    // The settings that the turn's object received last are good enough.
    return scopeNote(ports);
  });
  return reach(actor, ports, "stop", (channel) =>
    channel.stop({ interactionId, userId, userName, moderator, roles, ...wanted, ...around }),
  );
}

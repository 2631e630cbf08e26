// Handles a click on Retry, or on Continue after a limit. It starts a new turn, which is admitted like any other.

import { say } from "../../src/core/copy/notices.ts";
import { offeredAfter } from "../../src/core/state/offer.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { AgainRequest, Receipt, Refusal } from "../../src/core/state/rpc.ts";
import type { Channel } from "../live-channel.ts";
import { dropButtons } from "../replies/posted-reply.ts";
import { admitMessage } from "./admit.ts";

/** Asks again. Repeating an interaction returns the same receipt; a second click on the same button is refused. */
export function askAgain(channel: Channel, { turnId, submission }: AgainRequest): Receipt {
  const { store, keepAlive } = channel.ports;
  const { trigger: request } = submission;
  if (store.turn(request.interactionId)) return admitMessage(channel, submission);
  const turn = store.turn(turnId);
  const refusal = refuseRetry(turn, request.userId);
  if (!turn || refusal) return { kind: "refused", refusal: refusal ?? { reason: "forgotten" } };
  // Ask the persona that failed, even when another one is the default by now. What was private stays so.
  const { persona, privateTo } = turn.request;
  const asked = { ...request, ...wordsToAskAgain(turn), again: turn.id, ...(privateTo && { privateTo }) };
  const receipt = admitMessage(channel, {
    ...submission,
    trigger: asked,
    ...(persona && { speakers: { ...submission.speakers, persona: persona.name } }),
  });
  if (receipt.kind === "refused") return receipt;
  store.transaction(() => store.saveTurn({ ...turn, askedAgain: true }));
  keepAlive(dropButtons(channel.ports, channel.replies.withRoute(turn)));
  return receipt;
}

function refuseRetry(turn: TurnRecord | null, userId: string): Refusal | null {
  if (turn?.checkpoint.kind !== "send" || offeredAfter(turn.checkpoint.ending) === null) return { reason: "forgotten" };
  if (turn.request.userId !== userId) return { reason: "not_yours" };
  return turn.askedAgain ? { reason: "asked_again" } : null;
}

/** The same question for Retry, a request to continue for Continue. */
function wordsToAskAgain({ checkpoint, request: { text, attachments = [] } }: TurnRecord) {
  const offered = checkpoint.kind === "send" ? offeredAfter(checkpoint.ending) : null;
  return offered === "go_on" ? { text: say.goOn } : { text, attachments };
}

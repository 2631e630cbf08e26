// What a press of Retry, or of Continue behind a limit, begins: a turn of its own, which is admitted like any other.

import { say } from "../../src/core/copy/notices.ts";
import { offeredAfter } from "../../src/core/state/offer.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { AgainRequest, Receipt, Refusal } from "../../src/core/state/rpc.ts";
import type { Channel } from "../live-channel.ts";
import { dropButtons } from "../replies/posted-reply.ts";
import { admitMessage } from "./admit.ts";

/** Asks again, or on. The same interaction always gets the same receipt; another one of the same button is refused. */
export function askAgain(channel: Channel, { turnId, submission }: AgainRequest): Receipt {
  const { store, keepAlive } = channel.ports;
  const { trigger: request } = submission;
  if (store.turn(request.interactionId)) return admitMessage(channel, submission);
  const turn = store.turn(turnId);
  const refusal = refuseRetry(turn, request.userId);
  if (!turn || refusal) return { kind: "refused", refusal: refusal ?? { reason: "forgotten" } };
  const asked = { ...request, ...wordsToAskAgain(turn), again: turn.id };
  // Whoever failed to answer is asked, not whoever answers here by now.
  const { persona } = turn.request;
  const receipt = admitMessage(channel, {
    ...submission,
    trigger: asked,
    ...(persona && { speakers: { ...submission.speakers, persona: persona.name } }),
  });
  if (receipt.kind === "refused") return receipt;
  store.transaction(() => store.saveTurn({ ...turn, askedAgain: true }));
  keepAlive(dropButtons(channel.ports, turn));
  return receipt;
}

function refuseRetry(turn: TurnRecord | null, userId: string): Refusal | null {
  if (turn?.checkpoint.kind !== "send" || offeredAfter(turn.checkpoint.ending) === null) return { reason: "forgotten" };
  if (turn.request.userId !== userId) return { reason: "not_yours" };
  return turn.askedAgain ? { reason: "asked_again" } : null;
}

/** Its own words once more, or in place of them that it is to go on. */
function wordsToAskAgain({ checkpoint, request: { text, attachments = [] } }: TurnRecord) {
  const offered = checkpoint.kind === "send" ? offeredAfter(checkpoint.ending) : null;
  return offered === "go_on" ? { text: say.goOn } : { text, attachments };
}

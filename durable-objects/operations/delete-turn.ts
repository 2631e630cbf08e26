// Handles a click on Delete: takes an answer and its question out of the conversation at once. Its messages are deleted afterwards: the turn is
// closing again until some life has deleted them.

import { answerOnce } from "../../src/channel/answer-once.ts";
import { withoutAnswer } from "../../src/core/decisions/forgotten.ts";
import type { DeleteAnswer, DeleteRequest } from "../../src/core/state/rpc.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { refuseChangeNow } from "../turn/newest-answer.ts";
import { finishReplies } from "./finish-reply.ts";

/** Takes the click. Repeating an interaction returns the same answer. */
export function deleteTurn(channel: Channel, request: DeleteRequest): DeleteAnswer {
  const answer = answerOnce(channel.ports.store, request.interactionId, () => deleteInTransaction(channel, request));
  rearm(channel);
  finishReplies(channel);
  return answer;
}

function deleteInTransaction({ ports }: Channel, { turnId, press, ...person }: DeleteRequest): DeleteAnswer {
  const { store, clock } = ports;
  const turn = store.turn(turnId);
  const refusal = refuseChangeNow(store, turn, person);
  if (!turn || refusal) return { result: "refused", refusal: refusal ?? { reason: "forgotten" } };
  store.forgetTurn(turnId);
  const at = clock();
  const events = withEvent(turn.events, { at, what: "deleted" });
  // An older program, which doesn't know removals, would end it as a turn without words.
  const checkpoint = { kind: "send", ending: { kind: "completed" }, chars: 0 } as const;
  const bare = withoutAnswer({ ...turn, events });
  store.saveTurn({ ...bare, state: "closing", checkpoint, removal: { ...press, at } });
  return { result: "deleted" };
}

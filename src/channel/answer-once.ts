// Answers an interaction once, because Discord may deliver one twice, and a life may end before its answer arrives.
import type { ChannelStore } from "./store.ts";

/**
 * Runs `decide` in one transaction and keeps the answer. A repetition of the interaction gets the same answer and changes nothing. Without an
 * interaction (a tool, an older Worker) nothing is kept.
 */
export const answerOnce = <Answer>(
  store: Pick<ChannelStore, "transaction" | "storedAnswer" | "putAnswer">,
  interactionId: string | undefined,
  decide: () => Answer,
): Answer =>
  store.transaction(() => {
    const known = interactionId && store.storedAnswer(interactionId);
    if (known) return JSON.parse(known) as Answer;
    const answer = decide();
    if (interactionId) store.putAnswer(interactionId, JSON.stringify(answer));
    return answer;
  });

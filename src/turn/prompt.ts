// What a model is told: the system prompt and the conversation within its window.
import { repair, windowOf } from "../core/transcript.ts";
import type { ModelRequest } from "./ports.ts";
import type { TurnParams } from "./turn-params.ts";

const ANSWER_NOW =
  "You have used all the steps of this turn, and no tool is available any more. Give the best answer that you can from what you have.";

/** The request of one pass. The last pass of a turn offers no tools and asks for an answer. */
export function requestOf(params: TurnParams, isLast: boolean): ModelRequest {
  const { earlier, current } = params.store.conversation();
  return {
    system: isLast ? `${params.systemPrompt}\n\n${ANSWER_NOW}` : params.systemPrompt,
    messages: repair(windowOf(earlier, current)),
    tools: isLast ? [] : params.registry.schemas(),
  };
}

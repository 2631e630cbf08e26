// Shows a model the pictures in tool results. A result can contain only text, so a model that accepts pictures gets them in a separate
// message, after all results of the answer that asked for them.
import type { Message } from "../core/transcript/transcript.ts";
import type { ContextStash } from "./context-restart.ts";
import type { Model } from "./ports.ts";
import { isSighted } from "./question-files.ts";

const ATTACHED = "Pictures from the tool results above:";

/** Adds the pictures of the turn's results to the messages if the model can see them. */
export function withResultPictures(
  messages: Message[],
  turnId: string,
  stash: Pick<ContextStash, "pictures">,
  model: Pick<Model, "images">,
): Message[] {
  const pictures = stash.pictures(turnId);
  if (pictures.size === 0 || !isSighted(model)) return messages;
  // A model may reuse an id: the pictures then belong to its newest result.
  const newest = new Map(messages.flatMap((one, index) => (one.role === "tool" ? [[one.callId, index] as const] : [])));
  let waiting: string[] = [];
  return messages.flatMap((message, index): Message[] => {
    if (message.role !== "tool") return [message];
    if (newest.get(message.callId) === index) waiting.push(...(pictures.get(message.callId) ?? []));
    if (waiting.length === 0 || messages[index + 1]?.role === "tool") return [message];
    const images = waiting;
    waiting = [];
    return [message, { role: "user", text: ATTACHED, images }];
  });
}

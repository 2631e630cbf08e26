// Which message a reply points to. Pure.
import type { TurnRecord } from "../state/record.ts";

/**
 * The message that a turn's first message replies to, null for none: its question, where that is a message. Not in a scene, all of
 * whose turns have the same question: their answers would not read as a conversation.
 */
export function repliesTo({ request }: Pick<TurnRecord, "request">): string | null {
  return request.scene ? null : (request.messageId ?? null);
}

// Decides which message a reply points to. Pure.
import type { TurnRecord } from "../state/record.ts";

/**
 * Returns the message that a turn's first message replies to, null for none: its question, if that is a message. A scene's turns reply to
 * none: they all have the same question, and their answers would not read as a conversation.
 */
export function repliesTo({ request }: Pick<TurnRecord, "request">): string | null {
  return request.scene ? null : (request.messageId ?? null);
}

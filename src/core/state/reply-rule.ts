// Which message a reply points to. Pure.
import type { TurnRecord } from "./record.ts";

/**
 * The message that a turn's first message replies to, null for none: only an answer that had to wait points to its
 * question, because other messages have come between them.
 */
export function repliesTo({ request, waited }: TurnRecord): string | null {
  return waited && !request.scene ? (request.messageId ?? null) : null;
}

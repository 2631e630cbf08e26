// The message that a reply points to. Pure.
import type { TurnRecord } from "./record.ts";

/**
 * The message that the first one of a turn's reply points to, null for none: only an answer that had to wait does, because what
 * was said meanwhile stands between it and its question.
 */
export function repliesTo({ request, waited }: TurnRecord): string | null {
  return waited && !request.scene ? (request.messageId ?? null) : null;
}

// Which answer of a conversation is the newest one that has Regenerate and Delete. Read from the stored messages, so every life finds the
// same and nothing more is stored for it.
import type { ChannelStore } from "../../src/channel/store.ts";
import { MAX_TRANSCRIPT_ROWS } from "../../src/core/limits.ts";
import { isChangeable } from "../../src/core/state/newest-answer.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";

/** The turn with the newest such answer beside this turn, and whether this turn's own is newer; null: there is no other. */
export function findOtherAnswer(store: ChannelStore, turn: TurnRecord): { turn: TurnRecord; isOlder: boolean } | null {
  const others = store.messagesBefore(turn.id, MAX_TRANSCRIPT_ROWS, transcriptOwner(turn.request));
  const ownSeq = store.messagesInTurn(turn.id).at(-1)?.seq ?? 0;
  const seen = new Set<string>();
  for (const { turnId, role, seq } of others.toReversed()) {
    if (role !== "assistant" || seen.has(turnId)) continue;
    seen.add(turnId);
    const other = store.turn(turnId);
    if (other && isChangeable(other)) return { turn: other, isOlder: seq < ownSeq };
  }
  return null;
}

/** Is no other such answer of the conversation newer? */
export const isNewest = (store: ChannelStore, turn: TurnRecord): boolean =>
  findOtherAnswer(store, turn)?.isOlder !== false;

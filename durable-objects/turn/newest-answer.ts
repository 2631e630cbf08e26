// Which answer of a conversation is the newest one that has Regenerate and Delete. Read from the stored messages, so every life finds the
// same and nothing more is stored for it.
import type { ChannelStore } from "../../src/channel/store.ts";
import { isChangeable } from "../../src/core/decisions/newest-answer.ts";
import { MAX_TRANSCRIPT_ROWS } from "../../src/core/limits.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";

/** More than a turn has that did much and ended without an answer: the one before it still has its buttons. */
const TURN_ROWS = 6 * MAX_TRANSCRIPT_ROWS;

/** The answers around this turn's: the newest of the older ones, and whether none is newer. */
export function findOtherAnswers(
  store: ChannelStore,
  turn: TurnRecord,
): { older: TurnRecord | null; isNewest: boolean } {
  const ownSeq = store.messagesInTurn(turn.id).at(-1)?.seq ?? 0;
  let isNewest = true;
  for (const other of newestFirst(store, turn.id, transcriptOwner(turn.request))) {
    if (other.seq < ownSeq) return { older: other.turn, isNewest };
    isNewest = false;
  }
  return { older: null, isNewest };
}

/** Is no other such answer of the conversation newer? */
export const isNewest = (store: ChannelStore, turn: TurnRecord): boolean => findOtherAnswers(store, turn).isNewest;

/** The newest finished answer of the conversation that everyone here sees, or null. */
export function findNewestAnswer(store: ChannelStore): TurnRecord | null {
  for (const { turn } of newestFirst(store, "", null)) if (turn.state === "finished") return turn;
  return null;
}

/** `except`: the turn whose messages don't count. */
function* newestFirst(
  store: ChannelStore,
  except: string,
  owner: string | null,
): Generator<{ turn: TurnRecord; seq: number }> {
  const seen = new Set<string>();
  for (const rows of [MAX_TRANSCRIPT_ROWS, TURN_ROWS]) {
    const messages = store.messagesBefore(except, rows, owner);
    for (const { turnId, seq } of messages.toReversed()) {
      if (seen.has(turnId)) continue;
      seen.add(turnId);
      const turn = store.turn(turnId);
      if (turn && isChangeable(turn)) yield { turn, seq };
    }
    if (messages.length < rows) return;
  }
}

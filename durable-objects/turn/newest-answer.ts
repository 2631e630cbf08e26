// Finds the newest answer of a conversation: the one with Regenerate and Delete. It is read from the stored messages, so every life finds the
// same one, and nothing else is stored for it.
import type { ChannelStore } from "../../src/channel/store.ts";
import { isChangeable, refuseChange } from "../../src/core/decisions/newest-answer.ts";
import { MAX_TRANSCRIPT_ROWS } from "../../src/core/limits.ts";
import { transcriptOwner, type Viewer } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Refusal } from "../../src/core/state/rpc.ts";
import { unfinishedTurns } from "../../src/core/state/unfinished.ts";

/** More rows than even a long turn without an answer has: the answer before that turn still has its buttons and must be found. */
const TURN_ROWS = 6 * MAX_TRANSCRIPT_ROWS;

/** Finds the answers around this turn's: the newest older one, and whether there is no newer one. */
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

/** Whether no other answer with Regenerate and Delete is newer in the conversation. */
export const isNewest = (store: ChannelStore, turn: TurnRecord): boolean => findOtherAnswers(store, turn).isNewest;

/**
 * Returns why this person may not regenerate or delete the answer now, or null. While another turn is about to replace it, nobody may: that turn
 * would bring back the question that Delete has forgotten.
 */
export function refuseChangeNow(store: ChannelStore, turn: TurnRecord | null, person: Viewer): Refusal | null {
  const refusal = refuseChange(turn, turn !== null && isNewest(store, turn), person);
  return refusal ?? (isBeingReplaced(store, turn?.id) ? { reason: "asked_again" } : null);
}

/** Whether an unfinished turn is replacing this answer. One that ended without an answer doesn't count: the old one may be regenerated again. */
export const isBeingReplaced = (store: ChannelStore, id: string | undefined): boolean =>
  id !== undefined && unfinishedTurns(store.state()).some(({ request }) => request.replaces === id);

/** Finds the newest finished answer of the channel's conversation, which everyone here sees; null if there is none. */
export function findNewestAnswer(store: ChannelStore): TurnRecord | null {
  for (const { turn } of newestFirst(store, "", null)) if (turn.state === "finished") return turn;
  return null;
}

/** Yields the answers of a conversation, newest first. Messages of the turn `except` don't count. */
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

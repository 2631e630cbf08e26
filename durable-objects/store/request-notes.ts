// Notes what a turn's reply sent to Discord, for the inspector. The notes are in memory until the next write of the turn stores them: a separate
// write would cost more than they are worth. A death loses what was not written.
import type { ChannelStore } from "../../src/channel/store.ts";
import type { InspectedRequest, RequestsToDiscord } from "../../src/core/state/inspected.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { isOver } from "../../src/core/state/unfinished.ts";

/** How many of its first requests a turn always keeps, and how many it keeps in all. */
const FIRST_REQUESTS = 20;
const MAX_REQUESTS = 100;

/** The notes of requests. */
export interface RequestNotes {
  /** Notes one request after it has ended. */
  noteRequest(turnId: string, request: InspectedRequest): void;
  /** Returns all notes of a turn, stored or not. */
  requestsOf(turn: TurnRecord): RequestsToDiscord;
}

/** Wraps a store, so that each write of a turn includes its notes. */
export function withRequestNotes<Store extends ChannelStore>(store: Store): Store & RequestNotes {
  const noted = new Map<string, RequestsToDiscord>();
  const requestsOf = (turn: TurnRecord | null) => (turn && noted.get(turn.id)) ?? turn?.requests ?? NONE;
  const withNotes = (turn: TurnRecord): TurnRecord => {
    const requests = noted.get(turn.id);
    if (isOver(turn)) noted.delete(turn.id);
    return requests ? { ...turn, requests } : turn;
  };
  const notes: RequestNotes & Pick<ChannelStore, "insertTurn" | "saveTurn"> = {
    requestsOf,
    noteRequest(turnId, request) {
      const known = noted.get(turnId);
      const turn = known ? null : store.turn(turnId);
      // Requests after a finished reply (the next answer removes its buttons) are not part of it, and no write would store them.
      if (known || (turn && !isOver(turn))) noted.set(turnId, withRequest(known ?? requestsOf(turn), request));
    },
    insertTurn: (turn) => store.insertTurn(withNotes(turn)),
    saveTurn: (turn) => store.saveTurn(withNotes(turn)),
  };
  return { ...store, ...notes };
}

const NONE: RequestsToDiscord = { kept: [], leftOut: 0 };

function withRequest({ kept, leftOut }: RequestsToDiscord, request: InspectedRequest): RequestsToDiscord {
  if (kept.length < MAX_REQUESTS) return { kept: [...kept, request], leftOut };
  return { kept: [...kept.slice(0, FIRST_REQUESTS), ...kept.slice(FIRST_REQUESTS + 1), request], leftOut: leftOut + 1 };
}

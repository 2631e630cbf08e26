// Writes a turn's record at its end.
import type { ChannelStore } from "../../src/channel/store.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { statusFrom } from "../../src/turn/build-result.ts";

/** Returns the turn with its ending and the time of it; only the final edit is left. `chars` is the length of the text to show. */
export function closed(turn: TurnRecord, ending: Ending, chars: number, endedAt: number): TurnRecord {
  const checkpoint = { kind: "send", ending, chars } as const;
  const status = statusFrom(ending);
  // No life owns it any more: any life may send the final edit.
  return { ...turn, state: "closing", instance: null, phase: "finishing", checkpoint, status, endedAt };
}

/**
 * Stores a closing turn as `change` returns it, in one transaction. Stores nothing and returns false if `change` returns null or the turn is no
 * longer closing.
 */
export const changeClosing = (
  store: ChannelStore,
  id: string,
  change: (closing: TurnRecord) => TurnRecord | null,
): boolean =>
  store.transaction(() => {
    const current = store.turn(id);
    const changed = current?.state === "closing" ? change(current) : null;
    if (changed) store.saveTurn(changed);
    return changed !== null;
  });

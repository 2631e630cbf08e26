// A turn's record at its end.
import type { Ending } from "../../src/core/state/ending.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { statusFrom } from "../../src/turn/build-result.ts";

/** Returns the turn with its ending decided, at this time; only the final edit is left. `chars` is the length of the text to show. */
export function closed(turn: TurnRecord, ending: Ending, chars: number, endedAt: number): TurnRecord {
  const checkpoint = { kind: "send", ending, chars } as const;
  const status = statusFrom(ending);
  // No life owns it any more: any life may send the final edit.
  return { ...turn, state: "closing", instance: null, phase: "finishing", checkpoint, status, endedAt };
}

// A turn's record at its end: what it used, and how it ended.
import type { Ending } from "../../src/core/state/ending.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { statusFrom } from "../../src/turn/build-result.ts";
import type { TokenUsage } from "../../src/turn/ports.ts";

/** A turn whose ending is decided; only its last words are still to be sent. */
export function closed(turn: TurnRecord, ending: Ending, chars: number): TurnRecord {
  const checkpoint = { kind: "send", ending, chars } as const;
  // Nobody owns it any more: whichever life is there sends the last words.
  return { ...turn, state: "closing", instance: null, phase: "finishing", checkpoint, status: statusFrom(ending) };
}

/** The tokens of a turn with those of one more answer. */
export function withUsage(usage: TurnRecord["usage"], more: TokenUsage | null): TurnRecord["usage"] {
  return {
    inputTokens: usage.inputTokens + (more?.inputTokens ?? 0),
    outputTokens: usage.outputTokens + (more?.outputTokens ?? 0),
    modelCalls: usage.modelCalls + 1,
  };
}

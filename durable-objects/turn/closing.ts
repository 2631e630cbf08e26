// A turn's record at its end: its usage and its ending.
import type { Ending } from "../../src/core/state/ending.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { statusFrom } from "../../src/turn/build-result.ts";
import type { TokenUsage } from "../../src/turn/ports.ts";

/** Returns the turn with its ending decided; only the final edit is left. `chars` is the length of the text to show. */
export function closed({ thoughts: _, ...turn }: TurnRecord, ending: Ending, chars: number): TurnRecord {
  const checkpoint = { kind: "send", ending, chars } as const;
  // No life owns it any more: any life may send the final edit.
  return { ...turn, state: "closing", instance: null, phase: "finishing", checkpoint, status: statusFrom(ending) };
}

/** Adds an answer's tokens to a turn's usage. */
export function withUsage(usage: TurnRecord["usage"], more: TokenUsage | null): TurnRecord["usage"] {
  return {
    inputTokens: usage.inputTokens + (more?.inputTokens ?? 0),
    outputTokens: usage.outputTokens + (more?.outputTokens ?? 0),
    modelCalls: usage.modelCalls + 1,
  };
}

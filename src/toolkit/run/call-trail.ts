// Notes what happens to a call on the way to its answer, and builds the `meta` of its result from that.
import type { CallMeta, FailedRun } from "../tool-result.ts";

/** The notes of one call. */
export interface CallTrail {
  callId: string | null;
  tool: string;
  /** Epoch milliseconds. */
  startedAt: number;
  attempts: number;
  failedRuns: readonly FailedRun[];
  cached: boolean;
  isFault: boolean;
  repaired: string[];
  warnings: string[];
  /** The arguments as they were read, if what the model wrote was not JSON. */
  readAs?: string;
}

/** Begins the notes of a call. */
export const openTrail = (callId: string | null, tool: string, startedAt: number, repaired: string[]): CallTrail => ({
  callId,
  tool,
  startedAt,
  attempts: 0,
  failedRuns: [],
  cached: false,
  isFault: false,
  repaired,
  warnings: [],
});

/** Builds the `meta` of a result from the notes; `now` in epoch milliseconds. */
export function buildMeta(trail: CallTrail, now: number): CallMeta {
  const { callId, tool, startedAt, attempts, failedRuns, cached, isFault, repaired } = trail;
  return {
    callId,
    tool,
    attempts,
    retries: Math.max(0, attempts - 1),
    startedAt,
    durationMs: Math.max(0, now - startedAt),
    cached,
    ...(failedRuns.length > 0 && { failedRuns }),
    ...(isFault && { isFault }),
    repaired,
  };
}

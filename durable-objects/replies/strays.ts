// Bounds how long requests of the previous life may still reach Discord. A request outlives the life that sent it: it may take effect seconds
// after the next life has sent the final text, and would undo that.
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/**
 * Counted from the beginning of a life. Its predecessor's requests are older still, by the gap between the two lives (up to a heartbeat).
 * Shorter than one heartbeat, so that no turn stays open for another one.
 */
const STRAY_MS = 5000;

/** Returns until when requests that an earlier life sent for a turn's reply may still arrive, in epoch milliseconds; 0 if none can. */
export type StraysUntil = (turn: Pick<TurnRecord, "createdAt">) => number;

/** Call it once, when a life begins. A previous life that had no turn to work on (none, or only parked ones) left no requests. */
export function readStrays({ store, clock }: Pick<ChannelPorts, "store" | "clock">): StraysUntil {
  const bornAt = clock();
  const { running, queue, closing } = store.state();
  const isCut = running !== null || queue.length + closing.length > 0;
  return ({ createdAt }) => (isCut && createdAt < bornAt ? bornAt + STRAY_MS : 0);
}

// What the life before this one may have left on its way to Discord. A request outlives the life that sent it: it may have its effect
// seconds after the next life has said the last words, which it would take back.
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/**
 * So long after a life has begun: its predecessor's requests are older by what passed between the two, up to a heartbeat. Shorter than one
 * heartbeat, so that no turn stays open for another.
 */
const STRAY_MS = 5000;

/** Until when requests that an earlier life sent for a turn's reply may still arrive, in epoch milliseconds; 0: none can. */
export type StraysUntil = (turn: Pick<TurnRecord, "createdAt">) => number;

/** Call it once, when a life begins. A life that ended at rest, as one ends after its turn has been parked, has left nothing. */
export function readStrays({ store, clock }: Pick<ChannelPorts, "store" | "clock">): StraysUntil {
  const bornAt = clock();
  const { running, queue, closing } = store.state();
  const isCut = running !== null || queue.length + closing.length > 0;
  return ({ createdAt }) => (isCut && createdAt < bornAt ? bornAt + STRAY_MS : 0);
}

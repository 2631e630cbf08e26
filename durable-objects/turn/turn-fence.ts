// The condition of every write of a running turn: see README.md in durable-objects.
import type { ChannelStore } from "../../src/channel/store.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";

/** The turn, life and epoch that the lock must still name. */
export interface Fence {
  turnId: string;
  instance: string;
  epoch: number;
}

/** Returns the turn's record if the lock still names it, this life and this epoch; else null. */
export function heldTurn(store: ChannelStore, fence: Fence): TurnRecord | null {
  const lock = store.lock();
  const isHeld = lock.turnId === fence.turnId && lock.instance === fence.instance && lock.epoch === fence.epoch;
  return isHeld ? store.recall(fence.turnId) : null;
}

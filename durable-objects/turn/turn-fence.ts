// The condition of every write of a running turn: see README.md in durable-objects.
import type { ChannelStore } from "../../src/channel/store.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";

/** What a turn's writes are conditional on. */
export interface Fence {
  turnId: string;
  instance: string;
  epoch: number;
}

/** The turn's record if the fence still holds, else null. */
export function heldTurn(store: ChannelStore, fence: Fence): TurnRecord | null {
  const lock = store.lock();
  const held = lock.turnId === fence.turnId && lock.instance === fence.instance && lock.epoch === fence.epoch;
  return held ? store.recall(fence.turnId) : null;
}

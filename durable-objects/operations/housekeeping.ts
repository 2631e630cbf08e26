// When old rows are to be pruned: planned whenever a row was added, long before there are too many.
import type { ChannelStore } from "../../src/channel/store.ts";
import { KEPT_MESSAGES, KEPT_TURNS, PRUNING_DELAY_MS, PRUNING_SLACK } from "../../src/core/limits.ts";

/** When to prune (epoch milliseconds), or null while there are not too many rows. A planned time stays. */
export function planHousekeeping(store: Pick<ChannelStore, "lock" | "sizes">, now: number): number | null {
  const planned = store.lock().housekeepingAt;
  if (planned !== null) return planned;
  const sizes = store.sizes();
  const isFull = sizes.turns > KEPT_TURNS + PRUNING_SLACK || sizes.messages > KEPT_MESSAGES + PRUNING_SLACK;
  return isFull ? now + PRUNING_DELAY_MS : null;
}

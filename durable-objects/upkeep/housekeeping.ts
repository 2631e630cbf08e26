// Prunes old rows. The work is planned whenever a row was added, long before there are too many.
import type { ChannelStore } from "../../src/channel/store.ts";
import {
  KEPT_MESSAGES,
  KEPT_REFUSED,
  KEPT_TURNS,
  PRUNING_BATCH,
  PRUNING_DELAY_MS,
  PRUNING_SLACK,
} from "../../src/core/limits.ts";
import type { Channel } from "../live-channel.ts";

/** Returns when to prune (epoch milliseconds), or null while there are not too many rows. A time that is already planned stays. */
export function planHousekeeping(store: Pick<ChannelStore, "lock" | "sizes">, now: number): number | null {
  const planned = store.lock().housekeepingAt;
  // A time further ahead was planned before the clock was set back.
  if (planned && planned <= now + PRUNING_DELAY_MS) return planned;
  const sizes = store.sizes();
  const isFull = sizes.turns > KEPT_TURNS + PRUNING_SLACK || sizes.messages > KEPT_MESSAGES + PRUNING_SLACK;
  return isFull ? now + PRUNING_DELAY_MS : null;
}

/** Deletes one batch of old rows. A full batch schedules another one; a smaller batch ends the work for now. */
export function prune({ ports }: Channel): void {
  const { store, clock, log } = ports;
  const pruned = store.transaction(() => {
    const kept = { turns: KEPT_TURNS, refused: KEPT_REFUSED, messages: KEPT_MESSAGES };
    const deleted = store.prune(kept, PRUNING_BATCH);
    store.saveLock({ ...store.lock(), housekeepingAt: deleted >= PRUNING_BATCH ? clock() + PRUNING_DELAY_MS : null });
    return deleted;
  });
  log.info("pruned old rows", { rows: pruned });
}

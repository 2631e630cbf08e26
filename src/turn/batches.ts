// Which calls of one answer run together: neighbours that may, up to a limit, in the model's order.
import { MAX_PARALLEL_CALLS } from "../core/limits.ts";

/** Consecutive items that are free run together; any other stands alone. The order of all items is kept. */
export function splitIntoBatches<Item>(items: readonly Item[], isFree: (item: Item) => boolean): Item[][] {
  const batches: Item[][] = [];
  let isOpen = false;
  for (const item of items) {
    const last = batches.at(-1);
    if (isOpen && last && isFree(item) && last.length < MAX_PARALLEL_CALLS) last.push(item);
    else batches.push([item]);
    isOpen = isFree(item);
  }
  return batches;
}

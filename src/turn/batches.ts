// Decides which calls of one answer run together: neighbors that may, up to a limit, in the model's order.
import { MAX_PARALLEL_CALLS } from "../core/limits.ts";

/** Groups consecutive free items; every other item gets its own batch. The order of the items is kept. */
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

// For tests that must finish within one day: the product counts by days and months (UTC), and no test can set the clock of a runtime.
import { utcDay } from "../../src/core/money/lease.ts";

/**
 * Does the work. If midnight passes meanwhile, what it counts may be split over two days. Then, and after no other failure, the work runs a second
 * time; it must set up everything anew. `now`: epoch milliseconds.
 */
export async function withinADay(work: () => Promise<void>, now: () => number = Date.now): Promise<void> {
  const day = utcDay(now());
  await work().catch((error: unknown) => {
    if (utcDay(now()) === day) throw error;
    return work();
  });
}

// What a test may do only within one day: the product counts by days and months (UTC), and no test sets the clock of a runtime.
import { utcDay } from "../../src/core/money/lease.ts";

/**
 * Does the work. Where midnight came meanwhile, what it counted may be parted over two days: then, and for no other failure, it begins once
 * more, with new things. `now`: epoch milliseconds.
 */
export async function withinADay(work: () => Promise<void>, now: () => number = Date.now): Promise<void> {
  const day = utcDay(now());
  await work().catch((error: unknown) => {
    if (utcDay(now()) === day) throw error;
    return work();
  });
}

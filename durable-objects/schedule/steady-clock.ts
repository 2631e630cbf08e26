// A clock that never goes back. If the machine's clock were set back while an object is alive, every pause counted from an earlier moment
// would last that much longer. This clock keeps counting instead, and alarms are set by the machine's time.
import type { Clock } from "../../src/turn/ports.ts";

/** Smaller steps back (milliseconds) are a clock's own adjustments and are not reported. */
const NOTICED_MS = 1000;

/** The clock of one life of the object. */
export interface SteadyClock {
  now: Clock;
  /** Converts a time of this clock to the machine's. */
  toMachine: (at: number) => number;
}

/** Creates a steady clock over the machine's; `onStep` gets the milliseconds by which the machine's was set back. */
export function createSteadyClock(machine: Clock, onStep: (ms: number) => void): SteadyClock {
  let last = machine();
  let ahead = 0;
  return {
    now() {
      const now = machine();
      const back = last - now;
      last = now;
      ahead += Math.max(0, back);
      if (back >= NOTICED_MS) onStep(back);
      return now + ahead;
    },
    toMachine: (at) => at - ahead,
  };
}

// A clock that never goes back. Where the machine's is set back while an object lives, every pause that counts from an earlier
// moment would last that much longer; the object goes on counting instead, and its alarms are set by the machine's time.
import type { Clock } from "../../src/turn/ports.ts";

/** Steps of so many milliseconds are a clock's own adjustments and not worth a word. */
const NOTICED_MS = 1000;

/** The clock of one life of the object. */
export interface SteadyClock {
  now: Clock;
  /** The machine's time at a moment of this clock. */
  toMachine: (at: number) => number;
}

/** Makes one over the machine's clock; `onStep` is told how far that went back. */
export function createSteadyClock(machine: Clock, onStep: (ms: number) => void): SteadyClock {
  let last = machine();
  let ahead = 0;
  return {
    now() {
      const now = machine();
      const back = last - now;
      last = now;
      if (back > 0) ahead += back;
      if (back >= NOTICED_MS) onStep(back);
      return now + ahead;
    },
    toMachine: (at) => at - ahead,
  };
}

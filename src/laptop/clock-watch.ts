// Whether this computer's clock still goes with the timers of its programs. While Linux sleeps, timers stand still, so each alarm of the
// runtime comes as much later as it slept. Where the clock is set back, the runtime's time stands still until the clock is there again, and
// nothing is due. A new runtime sets its alarms by the clock as it is.

/** Clocks are corrected by less than this all the time. */
const MOVED_MS = 60_000;

/**
 * Makes a function that says whether the clock has moved against the timers since it was made, or last said so. `timers` goes as timers do;
 * both are in milliseconds.
 */
export function watchClock(clock: () => number, timers: () => number): () => boolean {
  let apart = clock() - timers();
  return () => {
    const now = clock() - timers();
    if (Math.abs(now - apart) < MOVED_MS) return false;
    apart = now;
    return true;
  };
}

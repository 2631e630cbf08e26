// Detects when this computer's clock and its timers have drifted apart. Timers stop while Linux sleeps, so each of the runtime's alarms comes
// late by the time that the computer slept. If the clock is set back, the runtime's time stops until the clock catches up, and nothing comes
// due. A new runtime sets its alarms by the current clock.

/** Smaller differences are normal corrections of the clock. */
const MOVED_MS = 60_000;

/**
 * Creates a function that returns whether the clock has moved relative to the timers since its creation or the last time it returned true.
 * `timers` is a clock that stops when timers do. Both are in milliseconds.
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

// Time that runs faster than the clock on the wall: pauses of seconds pass in milliseconds, in the proportions that the product
// sees. For code inside workerd, whose timers a test can't move by hand (elsewhere use clock.ts). Starts in the far future, so
// that no alarm of the runtime comes due by itself; tests run alarms by hand.
import type { Timers } from "../../src/turn/ports.ts";

/** Where the tests' time begins. */
export const TEST_EPOCH = Date.UTC(2030, 0, 1);

/** A clock and timers on one accelerated time line. */
export interface FastTime {
  now(): number;
  /** The same time line for callers that need patience with a busy machine: ten times slower than the wall. */
  patient(): number;
  timers: Timers;
  /** Waits `ms` on this line. Rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Jumps ahead without firing anything: a deadline passes as if the object had slept. */
  jump(ms: number): void;
}

/** Makes a time line that runs `factor` times as fast as the wall. */
export function fastTime(factor: number): FastTime {
  const began = Date.now();
  let jumped = 0;
  const timers: Timers = {
    after(ms, callback) {
      const timer = setTimeout(callback, ms / factor);
      return () => clearTimeout(timer);
    },
  };
  return {
    now: () => TEST_EPOCH + jumped + Math.round((Date.now() - began) * factor),
    patient: () => TEST_EPOCH + jumped + Math.round((Date.now() - began) / 10),
    timers,
    sleep: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        const cancel = timers.after(ms, resolve);
        signal?.addEventListener("abort", () => {
          cancel();
          reject(signal.reason);
        });
      }),
    jump: (ms) => {
      jumped += ms;
    },
  };
}

// Time that runs faster than the clock on the wall: pauses of seconds pass in milliseconds, in the proportions that the product
// sees, and slower where the machine is busy. For code inside workerd, whose timers a test can't move by hand (elsewhere use clock.ts). Starts in the far future, so
// that no alarm of the runtime comes due by itself; tests run alarms by hand.
import type { Timers } from "../../src/turn/ports.ts";

/** Where the tests' time begins. */
export const TEST_EPOCH = Date.UTC(2030, 0, 1);

/** A clock and timers on one accelerated time line. */
export interface FastTime {
  now(): number;
  /** For callers that need patience with a busy machine: ten times slower than the wall, and a pause counts little here, too. */
  patient(): number;
  timers: Timers;
  /** Waits `ms` on this line. Rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Jumps ahead without firing anything: a deadline passes as if the object had slept. */
  jump(ms: number): void;
}

/** The most of the wall's time that passes between two looks, in milliseconds: what a busy machine takes longer does not count. */
const MOST_AT_ONCE_MS = 4;
/** The same for the patient, who look seldom. */
const MOST_OF_PATIENCE_MS = 1000;

/**
 * Makes a time line that runs up to `factor` times as fast as the wall. It passes with the work: each look at it, and each step of a timer
 * on it, moves it by the time since the last one, but never by much. So a machine that has no time for us slows it down, and twenty
 * seconds of patience are not over because nothing could run for a tenth of one.
 */
export function fastTime(factor: number, wall = Date.now): FastTime {
  const look = inSteps(wall, MOST_AT_ONCE_MS, factor);
  const lookPatiently = inSteps(wall, MOST_OF_PATIENCE_MS, 1 / 10);
  let jumped = 0;
  const timers: Timers = {
    after(ms, callback) {
      const dueAt = look() + ms;
      let timer: ReturnType<typeof setTimeout>;
      const wait = () => {
        const left = dueAt - look();
        timer = setTimeout(left <= 0 ? callback : wait, Math.min(Math.max(0, left) / factor, MOST_AT_ONCE_MS));
      };
      wait();
      return () => clearTimeout(timer);
    },
  };
  return {
    now: () => TEST_EPOCH + jumped + Math.round(look()),
    patient: () => TEST_EPOCH + jumped + Math.round(lookPatiently()),
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

/** The time since now on a line that each look moves by the time since the last look, but by no more than `most` of the wall's milliseconds. */
function inSteps(wall: () => number, most: number, factor: number): () => number {
  let lastLook = wall();
  let passed = 0;
  return () => {
    const now = wall();
    passed += Math.min(now - lastLook, most) * factor;
    lastLook = now;
    return passed;
  };
}

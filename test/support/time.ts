// Time that runs faster than real time: pauses of seconds pass in milliseconds, in the same proportions, and slower if the machine is busy.
// For code inside workerd, whose timers a test can't move by hand (elsewhere use clock.ts). It starts in the far future, so that no alarm of
// the runtime comes due by itself; tests run alarms by hand.
import type { Timers } from "../../src/turn/ports.ts";

/** Where the tests' time begins. */
export const TEST_EPOCH = Date.UTC(2030, 0, 1);

/** A clock and timers on one accelerated time line. */
export interface FastTime {
  now(): number;
  /** For callers that must be patient with a busy machine: ten times slower than real time, and a long pause counts little here too. */
  patient(): number;
  timers: Timers;
  /** Waits `ms` on this line. Rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Jumps ahead without firing anything: a deadline passes as if the object had slept. */
  jump(ms: number): void;
}

/** The most real time, in milliseconds, that counts between two reads: the rest of a busy machine's delay does not count. */
const MOST_AT_ONCE_MS = 4;
/** The same for patient callers, who read rarely. */
const MOST_OF_PATIENCE_MS = 1000;

/**
 * Makes a time line that runs up to `factor` times as fast as real time. It passes with the work: each read, and each step of a timer on it,
 * moves it by the time since the last one, but never by much. So a machine that is busy elsewhere slows it down, and twenty seconds of
 * patience don't end because nothing could run for a tenth of a second.
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

/** Makes a line that starts at zero. Each read moves it by the real time since the last read, but by at most `most` milliseconds. */
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

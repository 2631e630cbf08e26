// A clock that only the test moves, with timers on it. Nothing waits for real time. The clock can't know when work other than
// promises is done, so a test with such work passes `settle`. For code inside workerd, use time.ts.
import type { Timers } from "../../src/turn/ports.ts";

/** The clock, its timers and the control to move them. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  now(): number;
  timers: Timers;
  /** How many timers are set. None may be left when the work under test is done. */
  pending(): number;
  /** When the next timer is due; null when none is set. */
  nextAt(): number | null;
  /** Jumps ahead by `ms`, as if the clock was set or the process was frozen. Overdue timers fire with the next advance. */
  jump(ms: number): void;
  /** Moves on by `ms` and fires due timers in order, each at its own time, letting all work settle in between. */
  advance(ms: number): Promise<void>;
}

interface Pending {
  at: number;
  fire: () => void;
}

/** Makes a clock that begins at `startMs`. `settle` resolves when no work is left except timers; by default, when no promise job is left. */
export function createTestClock(startMs: number, settle: () => Promise<void> = promiseJobs): TestClock {
  let now = startMs;
  // A set keeps insertion order, which decides between timers of the same time, as real timers do.
  const pending = new Set<Pending>();
  const nextUpTo = (limit: number) => {
    let next: Pending | null = null;
    for (const one of pending) if (one.at <= limit && one.at < (next?.at ?? Number.POSITIVE_INFINITY)) next = one;
    return next;
  };
  return {
    now: () => now,
    timers: {
      after(ms, callback) {
        const one = { at: now + ms, fire: callback };
        pending.add(one);
        return () => void pending.delete(one);
      },
    },
    pending: () => pending.size,
    nextAt: () => nextUpTo(Number.POSITIVE_INFINITY)?.at ?? null,
    jump(ms) {
      now += ms;
    },
    async advance(ms) {
      const target = now + ms;
      for (;;) {
        await settle();
        const due = nextUpTo(target);
        if (!due && now >= target) return;
        now = Math.max(now, due ? due.at : target);
        if (due) pending.delete(due);
        due?.fire();
      }
    },
  };
}

/** A task of the event loop runs only after every promise job before it, however long their chain is. */
const promiseJobs = () => new Promise<void>((resolve) => setImmediate(resolve));

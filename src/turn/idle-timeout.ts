// The idle timeout of a model. Every piece of an answer extends it, and there are thousands of pieces, so a piece changes a time and not
// the timer. A timer that fires too early waits again for the time that is left, but at most for the shortest timeout.
import type { Clock, Timers } from "./ports.ts";

/** The timeout of one step. Whoever started it must end it. */
export interface IdleTimeout {
  /** Restarts the timeout with this length in milliseconds, which must be at least the timeout's `leastMs`. */
  heard(allowedMs: number): void;
  end(): void;
}

/** Starts with `firstMs`. If the model is idle for too long, calls back once with the milliseconds that were allowed. */
export function startIdleTimeout(
  { timers, clock }: { timers: Timers; clock: Clock },
  { firstMs, leastMs }: { firstMs: number; leastMs: number },
  onIdle: (allowedMs: number) => void,
): IdleTimeout {
  let allowed = firstMs;
  let until = clock() + firstMs;
  const wait = (ms: number): (() => void) =>
    timers.after(Math.min(ms, leastMs), () => {
      const left = until - clock();
      if (left > 0) cancel = wait(left);
      else onIdle(allowed);
    });
  let cancel = wait(firstMs);
  return {
    heard(allowedMs) {
      allowed = allowedMs;
      until = clock() + allowedMs;
    },
    end: () => cancel(),
  };
}

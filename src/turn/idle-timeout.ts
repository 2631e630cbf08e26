// How long a model may be silent. Every piece of its answer moves the limit on, and there are thousands of them, so they move a
// time and not the timer: one that fires too early only waits for the rest.
import type { Clock, Timers } from "./ports.ts";

/** The watch over one pass. Whoever began it ends it. */
export interface IdleTimeout {
  /** Something was heard: from now on so much silence is allowed. Not less than the `leastMs` of the watch. */
  heard(allowedMs: number): void;
  end(): void;
}

/** Begins with `firstMs` of allowed silence; when it was too long, calls back once with what was allowed. */
export function startIdleTimeout(
  { timers, clock }: { timers: Timers; clock: Clock },
  { firstMs, leastMs }: { firstMs: number; leastMs: number },
  onIdle: (allowedMs: number) => void,
): IdleTimeout {
  let allowed = firstMs;
  let until = clock() + firstMs;
  const wait = (ms: number): (() => void) =>
    timers.after(ms, () => {
      const left = until - clock();
      if (left > 0) cancel = wait(left);
      else onIdle(allowed);
    });
  let cancel = wait(Math.min(firstMs, leastMs));
  return {
    heard(allowedMs) {
      allowed = allowedMs;
      until = clock() + allowedMs;
    },
    end: () => cancel(),
  };
}

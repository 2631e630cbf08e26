// The object's timers. The runtime's timers are precise; the alarm fires whatever is overdue, so limits are enforced even
// if no timer fires. Callers must cancel their timers: a pending one keeps the object in memory, which is billed.
import type { Clock, Timers } from "../../src/turn/ports.ts";

interface Entry {
  at: number;
  fire: () => void;
}

/** Timers that the alarm can also fire. Each fires at most once. */
export class BackstopTimers implements Timers {
  readonly #clock: Clock;
  readonly #real: Timers;
  readonly #pending = new Set<Entry>();

  constructor(clock: Clock, real: Timers) {
    this.#clock = clock;
    this.#real = real;
  }

  after(ms: number, callback: () => void): () => void {
    const entry: Entry = { at: this.#clock() + ms, fire: () => {} };
    const cancelReal = this.#real.after(ms, () => entry.fire());
    const cancel = () => {
      this.#pending.delete(entry);
      cancelReal();
    };
    entry.fire = () => {
      cancel();
      callback();
    };
    this.#pending.add(entry);
    return cancel;
  }

  /** Resolves after `ms` milliseconds. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** The number of pending timers; must be 0 while nothing runs. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Fires everything that is overdue, oldest first. Repeating it is harmless. */
  runDue(now: number): void {
    const due = [...this.#pending].filter((entry) => entry.at <= now).sort((a, b) => a.at - b.at);
    for (const entry of due) if (this.#pending.has(entry)) entry.fire();
  }
}

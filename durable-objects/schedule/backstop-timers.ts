// The object's timers. The runtime's timers make them precise; the alarm runs whatever is overdue all the same, so that a
// limit holds even where no timer fires. Whoever sets one clears it: an uncleared one keeps a billed object in memory.
import type { Clock, Timers } from "../../src/turn/ports.ts";

interface Entry {
  at: number;
  fire: () => void;
}

/** Timers that the alarm can run as well. */
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

  /** Timers that are set; none may be left when nothing runs. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Fires everything that is overdue, the oldest first. */
  runDue(now: number): void {
    const due = [...this.#pending].filter((entry) => entry.at <= now).sort((a, b) => a.at - b.at);
    for (const entry of due) if (this.#pending.has(entry)) entry.fire();
  }
}

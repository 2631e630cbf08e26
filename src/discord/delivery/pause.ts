// A wait that can be cut short. Leaves no timer behind: an uncleared one keeps a billed object in memory.
import type { Timers } from "../../turn/ports.ts";

/** One wait at a time. */
export class Pause {
  readonly #timers: Timers;
  #end = () => {};

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Resolves after `ms`, or with the next `end`. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#timers.after(ms, resolve);
      this.#end = () => {
        cancel();
        resolve();
      };
    });
    this.#end = () => {};
  }

  /** Ends the current wait, if there is one. */
  end(): void {
    this.#end();
  }
}

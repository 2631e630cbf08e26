// Time that passes only when a test lets it pass. What is due at the same time happens in the order in which it was planned.

/** A clock with its plans. */
export class VirtualTime {
  now: number;
  #plans: { at: number; run: () => void }[] = [];

  constructor(now: number) {
    this.now = now;
  }

  /** Plans something. Returns a function that cancels the plan. */
  in(ms: number, run: () => void): () => void {
    const plan = { at: this.now + Math.max(0, ms), run };
    // Sorted, with the next one last.
    const place = this.#plans.findLastIndex((one) => one.at > plan.at);
    this.#plans.splice(place + 1, 0, plan);
    return () => {
      this.#plans = this.#plans.filter((one) => one !== plan);
    };
  }

  /** Lets time pass. Throws if plans keep coming at the same time, so that time can't move on. */
  pass(ms: number): void {
    const end = this.now + ms;
    for (let steps = 0; ; steps++) {
      if (steps > 100_000) throw new Error("time stands still: something plans itself again and again");
      const next = this.#plans.at(-1);
      if (!next || next.at > end) break;
      this.#plans.pop();
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }
}

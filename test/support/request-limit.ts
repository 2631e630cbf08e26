// The platform's limit on requests to the outside: a number for each event of the object, and an error for every further one.
import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What a request counts against. `newest`: the newest event, as in workerd's own accounting. `own`: the event in which the work that sends it
 * began, however long ago, which is stricter than anything known about the platform.
 */
export type CountedBy = "newest" | "own";

interface ObjectEvent {
  allowed: number;
}

/** One object's events and how much each has sent. */
export class RequestLimit {
  readonly #perEvent: number;
  readonly #countedBy: CountedBy;
  readonly #own = new AsyncLocalStorage<ObjectEvent>();
  readonly #events: ObjectEvent[] = [];
  refused = 0;

  constructor(perEvent: number, countedBy: CountedBy) {
    this.#perEvent = perEvent;
    this.#countedBy = countedBy;
  }

  /** The most that one event has sent. */
  get most(): number {
    return Math.max(0, ...this.#events.map(({ allowed }) => allowed));
  }

  /** How many requests were sent in total. */
  get allowed(): number {
    return this.#events.reduce((sum, { allowed }) => sum + allowed, 0);
  }

  /** Runs an event of the object. */
  event<Result>(work: () => Result): Result {
    const event = { allowed: 0 };
    this.#events.push(event);
    return this.#own.run(event, work);
  }

  /** Counts a request, or throws as the platform does. */
  pass(): void {
    const newest = this.#events.at(-1);
    const event = this.#countedBy === "own" ? (this.#own.getStore() ?? newest) : newest;
    if (!event) throw new Error("a request was sent outside of every event");
    if (event.allowed >= this.#perEvent) {
      this.refused++;
      throw new Error("Too many subrequests by single Worker invocation.");
    }
    event.allowed++;
  }
}

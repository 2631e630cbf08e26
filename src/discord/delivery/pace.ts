// When the next request of one reply may go out: people's eyes, and the waits that a failure asks for. Discord's own limits are in
// rate-limiter.ts. Sends nothing and waits for nothing.
import { EDIT_GAP_MS, FIRST_EDIT_GRACE_MS, SEND_GAP_MS } from "../../core/limits.ts";
import type { Clock } from "../../turn/ports.ts";

/** What decides over the time of a request. */
export interface Paced {
  isEdit: boolean;
  /** The reply's last words do not wait for more. */
  isFinal: boolean;
  /** Least time since the last edit, where it is more than the usual. */
  gapMs: number;
}

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;

const NEVER = Number.NEGATIVE_INFINITY;

/** The times of one reply; epoch milliseconds. */
export class Pace {
  readonly #clock: Clock;
  readonly #random: () => number;
  #graceEndsAt = NEVER;
  #lastEditAt = NEVER;
  #lastSendAt = NEVER;
  #notBefore = NEVER;
  #failures = 0;

  /** `random` is uniform in [0, 1). */
  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The first text is there; a moment later there may be a sentence's start. */
  begin(): void {
    this.#graceEndsAt = this.#clock() + FIRST_EDIT_GRACE_MS;
  }

  /** A press brought a new way; Discord knows it once our answer to the press has arrived. */
  renewed(): void {
    this.#wait(FIRST_EDIT_GRACE_MS);
  }

  readyAt({ isEdit, isFinal, gapMs }: Paced): number {
    const grace = this.#lastSendAt === NEVER && !isFinal ? this.#graceEndsAt : NEVER;
    const edit = isEdit ? this.#lastEditAt + Math.max(EDIT_GAP_MS, gapMs) : NEVER;
    return Math.max(grace, edit, this.#lastSendAt + SEND_GAP_MS, this.#notBefore);
  }

  sending(isEdit: boolean): void {
    this.#lastSendAt = this.#clock();
    if (isEdit) this.#lastEditAt = this.#lastSendAt;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** After no answer or a 5xx: longer each time, and never in step with others. */
  failed(): void {
    const most = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#failures);
    this.#failures++;
    this.#wait(most * (0.5 + this.#random() / 2));
  }

  #wait(ms: number): void {
    this.#notBefore = this.#clock() + ms;
  }
}

// Decides when the next request of one reply may go out, from what people can read and from the waits after failures. Discord's
// own limits are in rate-limiter.ts. Sends nothing and waits for nothing.
import { EDIT_GAP_MS, FIRST_EDIT_GRACE_MS, SEND_GAP_MS, SHORT_EDIT_GRACE_MS } from "../../core/limits.ts";
import type { Clock } from "../../turn/ports.ts";

/** What the platform still allows: on the Free plan 50 outgoing requests for each event of the object. */
export interface RequestAllowance {
  /** Changes when the allowance is renewed. */
  readonly renewals: number;
  /** Whether the rest is reserved for endings. */
  readonly isReserved: boolean;
}

/** What decides when a request may go out. */
export interface Paced {
  isEdit: boolean;
  /** The request only shows an answer that still grows: no end, no question and no request for a click. */
  isPassing: boolean;
  /** The last edit of a reply does not wait for more text; it still keeps the gap to the edit before it. */
  isFinal: boolean;
  /** The minimum time since the last edit, in milliseconds, if it is longer than usual. */
  gapMs: number;
}

/**
 * Returns the gap before the next edit of a growing answer, in milliseconds, after this many edits since the allowance was renewed. If each
 * heartbeat renews it, the gap always stays the shortest.
 */
const gapAfter = (edits: number): number => (edits < 15 ? EDIT_GAP_MS : edits < 30 ? 3000 : 6000);

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;

const NEVER = Number.NEGATIVE_INFINITY;

/** The times of one reply, in epoch milliseconds. */
export class Pace {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #allowance: RequestAllowance;
  #begunAt = NEVER;
  #graceEndsAt = NEVER;
  #lastEditAt = NEVER;
  #lastSendAt = NEVER;
  #notBefore = NEVER;
  #failures = 0;
  /** Edits since the allowance was last renewed. */
  #edits = { renewals: 0, count: 0 };

  /** `random` is uniform in [0, 1). */
  constructor(clock: Clock, random: () => number, allowance: RequestAllowance) {
    this.#clock = clock;
    this.#random = random;
    this.#allowance = allowance;
  }

  /** Notes that the first text has arrived. The first request waits a moment, so that it shows more than a word. */
  begin(): void {
    this.#begunAt = this.#clock();
    this.#graceEndsAt = this.#begunAt + FIRST_EDIT_GRACE_MS;
  }

  /** Notes that the text is long enough to be shown. Returns true if that shortens the first request's wait. */
  hasEnough(): boolean {
    const endsAt = this.#begunAt + SHORT_EDIT_GRACE_MS;
    const isShorter = endsAt < this.#graceEndsAt;
    if (isShorter) this.#graceEndsAt = endsAt;
    return isShorter;
  }

  /** Notes that a click brought a new token. Discord knows it only once our answer to the click has arrived. */
  renewed(): void {
    this.#wait(FIRST_EDIT_GRACE_MS);
  }

  /** Returns when this request may go out, as far as is known now. */
  readyAt({ isEdit, isPassing, isFinal, gapMs }: Paced): number {
    const grace = this.#lastSendAt === NEVER && !isFinal ? this.#graceEndsAt : NEVER;
    const leastMs = isPassing ? gapAfter(this.#editCount()) : EDIT_GAP_MS;
    const edit = isEdit ? this.#lastEditAt + Math.max(leastMs, gapMs) : NEVER;
    // Then the allowance is checked again.
    const reserve = isPassing && this.#allowance.isReserved ? this.#clock() + EDIT_GAP_MS : NEVER;
    return Math.max(grace, edit, reserve, this.#lastSendAt + SEND_GAP_MS, this.#notBefore);
  }

  #editCount(): number {
    return this.#edits.renewals === this.#allowance.renewals ? this.#edits.count : 0;
  }

  /** Notes a request that is about to go out. */
  sending(isEdit: boolean): void {
    this.#lastSendAt = this.#clock();
    if (!isEdit) return;
    this.#lastEditAt = this.#lastSendAt;
    this.#edits = { renewals: this.#allowance.renewals, count: this.#editCount() + 1 };
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Notes a missing answer or a 5xx. Each wait is longer than the last, with jitter. */
  failed(): void {
    const most = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#failures);
    this.#failures++;
    this.#wait(most * (0.5 + this.#random() / 2));
  }

  #wait(ms: number): void {
    this.#notBefore = this.#clock() + ms;
  }
}

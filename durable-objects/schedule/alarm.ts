// The object's one alarm. Outside its handler it is only moved earlier: an early wake-up costs one request, a missed
// deadline costs a turn.
import type { Clock } from "../../src/turn/ports.ts";

/**
 * The part of the object's storage that the alarm uses. Both methods write in the transaction of the current tick
 * (Cloudflare).
 */
export interface AlarmStorage {
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

/** Cloudflare's alarms may be up to a minute late. One that is later than that may never come (cloudflare-docs#18324). */
const LOST_AFTER_MS = 60_000;

/** Remembers which alarm this life has set. It doesn't know an alarm of an earlier life, which at worst wakes the object too early. */
export class AlarmClock {
  readonly #storage: AlarmStorage;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown, again: () => void, failures: number) => void;
  #armedAt: number | null = null;
  #failures = 0;
  /** Why the newest write failed; null if it has not failed so far. */
  failure: unknown = null;

  /** `onFailure` is called when an alarm could not be set; `again` retries it. `failures`: how many writes in a row failed before this one. */
  constructor(
    storage: AlarmStorage,
    clock: Clock,
    onFailure: (error: unknown, again: () => void, failures: number) => void = () => {},
  ) {
    this.#storage = storage;
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  /** Sets the alarm to the channel's next deadline, or clears it with null. `mayMoveLater`: no turn depends on the alarm that is set. */
  arm(nextWakeAt: number | null, mayMoveLater = false): void {
    const armedAt = this.#armedAt;
    const isComing = nextWakeAt !== null && armedAt !== null && armedAt >= this.#clock() - LOST_AFTER_MS;
    if (isComing && (mayMoveLater ? armedAt === nextWakeAt : armedAt <= nextWakeAt)) return;
    this.#armedAt = nextWakeAt;
    const storage = this.#storage;
    this.#try(() => (nextWakeAt === null ? storage.deleteAlarm() : storage.setAlarm(nextWakeAt)), nextWakeAt);
  }

  /** Writes without throwing: whoever arms the alarm has already stored something and must be able to act on it. */
  #try(write: () => Promise<void>, wanted: number | null): void {
    const failed = (error: unknown) => {
      if (this.#armedAt !== wanted) return;
      this.#armedAt = null;
      this.failure = error;
      const again = () => {
        if (wanted !== null) this.arm(wanted);
      };
      this.#onFailure(error, again, this.#failures++);
    };
    this.failure = null;
    try {
      write().then(() => {
        this.#failures = 0;
      }, failed);
    } catch (error) {
      failed(error);
    }
  }

  /** Notes that the alarm fired and is gone. The handler sets it again. */
  fired(): void {
    this.#armedAt = null;
  }
}

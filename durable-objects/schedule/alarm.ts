// The object's one alarm. Outside its handler it is only moved earlier: an early wake-up costs one request, a missed
// deadline costs a turn.

/**
 * The part of the object's storage that the alarm uses. Both methods write in the transaction of the current tick
 * (Cloudflare).
 */
export interface AlarmStorage {
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

/** Knows which alarm this life has set. One set by an earlier life is unknown, which can only make it wake too early. */
export class AlarmClock {
  readonly #storage: AlarmStorage;
  #armedAt: number | null = null;

  constructor(storage: AlarmStorage) {
    this.#storage = storage;
  }

  /** Sets the alarm to the channel's next deadline; null when nothing is planned. */
  arm(nextWakeAt: number | null): void {
    if (nextWakeAt === null) {
      void this.#storage.deleteAlarm();
      this.#armedAt = null;
      return;
    }
    if (this.#armedAt !== null && this.#armedAt <= nextWakeAt) return;
    void this.#storage.setAlarm(nextWakeAt);
    this.#armedAt = nextWakeAt;
  }

  /** Notes that the alarm fired and is gone. The handler sets it again. */
  fired(): void {
    this.#armedAt = null;
  }
}

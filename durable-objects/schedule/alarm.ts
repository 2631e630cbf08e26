// The object's one alarm. Outside the handler it is only ever pulled earlier: an early wake costs one request, a missed
// deadline costs a turn.

/** The part of the object's storage that the alarm uses. Both write in the transaction of the current tick (Cloudflare). */
export interface AlarmStorage {
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

/** Knows what this life has set; what an earlier one set is unknown, which can only make it wake too early. */
export class AlarmClock {
  readonly #storage: AlarmStorage;
  #armedAt: number | null = null;

  constructor(storage: AlarmStorage) {
    this.#storage = storage;
  }

  /** Brings the alarm in line with the next deadline of the whole channel; null: nothing is planned any more. */
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

  /** The alarm went off and is used up; the handler arms it anew. */
  fired(): void {
    this.#armedAt = null;
  }
}

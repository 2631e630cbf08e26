// The port for the last changes of a scope's settings: who changed what, and when. Its SQL is in durable-objects/store.

/** How many changes of a scope are kept. */
export const MAX_RECORDED_CHANGES = 50;
/** How much of a value is recorded, in UTF-16 units. Of a longer one only the beginning is. */
export const MAX_RECORDED_UNITS = 200;

/** One change of a setting. `at` is in epoch milliseconds. */
export interface RecordedChange {
  at: number;
  /** The person's id; null after they had it deleted. */
  by: string | null;
  key: string;
  /** Null if it was not set. */
  old: string | null;
  new: string | null;
}

/** The history of one scope. Synchronous; each method is one or two statements within the caller's transaction. */
export interface SettingHistory {
  /** Whether this interaction's change was already recorded. */
  knows(interactionId: string): boolean;
  record(interactionId: string, change: RecordedChange): void;
  /** The recorded changes, the newest first. */
  changes(): RecordedChange[];
  /** Removes the person's id. Their changes stay. */
  forgetPerson(userId: string): void;
}

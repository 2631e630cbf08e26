// The last changes of a scope's settings: who changed what, and when. A port; its SQL is in durable-objects/store.

/** How many changes of a scope are kept. */
export const MAX_RECORDED_CHANGES = 50;
/** A longer value is recorded by its beginning, in UTF-16 units. */
export const MAX_RECORDED_UNITS = 200;

/** One change of a setting. `at` is in epoch milliseconds. */
export interface RecordedChange {
  at: number;
  /** The person's id; null once they had it deleted. */
  by: string | null;
  key: string;
  /** Null: not set. */
  old: string | null;
  new: string | null;
}

/** The record of one scope. Synchronous; each method is one or two statements within the caller's transaction. */
export interface SettingHistory {
  /** Was this interaction's change recorded already? */
  knows(interactionId: string): boolean;
  record(interactionId: string, change: RecordedChange): void;
  /** The newest first. */
  changes(): RecordedChange[];
  /** The person's changes stay, without their id. */
  forgetPerson(userId: string): void;
}

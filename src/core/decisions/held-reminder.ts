// Decides when a reminder that could not be shown to anyone comes again. Pure.

/** The wait is as long as the reminder is late already, within these bounds: a pause may be meant to last. */
const HOLD_MS = 5 * 60_000;
const MAX_HOLD_MS = { paused: 24 * 60 * 60_000, unchecked: 3 * 60 * 60_000 };

/** `paused`: the owners have paused everything. `unchecked`: Discord does not accept the bot's token or can't be reached. */
export type Hindrance = keyof typeof MAX_HOLD_MS;

/** Returns when a reminder due at `dueAt` comes again: soon after the hindrance ends, and rarely while it lasts long. */
export const heldUntil = (dueAt: number, now: number, why: Hindrance): number =>
  now + Math.min(Math.max(now - dueAt, HOLD_MS), MAX_HOLD_MS[why]);

// When a reminder that nobody could be shown comes again. Pure.

/** It comes again after as long as it is late, within these bounds: a pause may be meant to last. */
const HOLD_MS = 5 * 60_000;
const MAX_HOLD_MS = { paused: 24 * 60 * 60_000, unchecked: 3 * 60 * 60_000 };

/** The owners have paused everything, or Discord does not accept the bot's token or can't be reached. */
export type Hindrance = keyof typeof MAX_HOLD_MS;

/** When one that was due then comes again: late by no more than the hindrance was long, and seldom in a long one. */
export const heldUntil = (dueAt: number, now: number, why: Hindrance): number =>
  now + Math.min(Math.max(now - dueAt, HOLD_MS), MAX_HOLD_MS[why]);

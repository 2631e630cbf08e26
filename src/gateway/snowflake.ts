// Discord's ids, which contain the time of their creation (docs: reference, "Snowflakes") and grow with it. Pure.

/** The first second of 2015, from which Discord counts. */
const EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;

/** Returns an id that is not greater than any id created at this time or later. */
export const idAt = (at: number): string => String(BigInt(Math.max(0, Math.floor(at) - EPOCH_MS)) << TIME_SHIFT);

/** Returns when this id was created, in epoch milliseconds. */
export const madeAt = (id: string): number => Number(BigInt(id) >> TIME_SHIFT) + EPOCH_MS;

/** Compares ids by age, the oldest first. */
export const compareIds = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);

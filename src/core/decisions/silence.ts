// Computes for how long nothing starts in a channel after Discord refused the bot there. Pure.
import { SILENCE_AFTER_REFUSAL_MS } from "../limits.ts";
import type { Lock } from "../state/record.ts";

/** Returns the milliseconds left; 0: a turn may start. An end that is further ahead was stored before the clock was set back. */
export function silentMs({ silentUntil = 0 }: Lock, now: number): number {
  const left = silentUntil - now;
  return left > SILENCE_AFTER_REFUSAL_MS ? 0 : Math.max(0, left);
}

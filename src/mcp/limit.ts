// Adds a time limit to a signal, and pauses, with the object's own timers, which its alarm backs up.
import { untilAborted } from "../toolkit/run/until-aborted.ts";

/** Runs `callback` after `ms` unless the returned function is called first. */
export type After = (ms: number, callback: () => void) => () => void;

/** Creates a signal that fires with `outer` or after `ms`. Call `release` when the work is over; otherwise the timer keeps running. */
export function withLimit(
  outer: AbortSignal | null,
  ms: number,
  after: After,
): { signal: AbortSignal; release: () => void } {
  const own = new AbortController();
  const release = after(ms, () => own.abort(new DOMException(`no answer within ${ms / 1000} s`, "TimeoutError")));
  return { signal: outer ? AbortSignal.any([outer, own.signal]) : own.signal, release };
}

/** Waits; throws the signal's reason if it fires first. */
export async function pause(ms: number, signal: AbortSignal, after: After): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  await untilAborted(signal, over).finally(after(ms, resolve));
}

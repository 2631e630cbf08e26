// A time limit on top of a signal, with the object's own timers, which its alarm backs up.

/** Runs `callback` after `ms` unless the returned function is called first. */
export type After = (ms: number, callback: () => void) => () => void;

/**
 * Makes a signal that fires with `outer` or after `ms`. Call `release` when the work is over; otherwise the timer keeps running.
 */
export function withLimit(
  outer: AbortSignal | null,
  ms: number,
  after: After,
): { signal: AbortSignal; release: () => void } {
  const own = new AbortController();
  const release = after(ms, () => own.abort(new DOMException(`no answer within ${ms / 1000} s`, "TimeoutError")));
  return { signal: outer ? AbortSignal.any([outer, own.signal]) : own.signal, release };
}

/** What the work comes to, or a rejection as soon as the signal fires: a connection may be deaf to it. */
export async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

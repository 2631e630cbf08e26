// A limit in time on top of a signal, over the object's own timers, behind which its alarm stands.

/** Runs `callback` after `ms` unless the returned function is called first. */
export type After = (ms: number, callback: () => void) => () => void;

/** A signal that fires with `outer` or when the time is up. Release it once the work is over: its timer would go on. */
export function withLimit(
  outer: AbortSignal | null,
  ms: number,
  after: After,
): { signal: AbortSignal; release: () => void } {
  const own = new AbortController();
  const release = after(ms, () => own.abort(new DOMException(`no answer within ${ms / 1000} s`, "TimeoutError")));
  return { signal: outer ? AbortSignal.any([outer, own.signal]) : own.signal, release };
}

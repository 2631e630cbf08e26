// Limits the time of a call to an object, which may be slow or never answer: Discord waits three seconds.

/** Calls back once after `ms`, unless the returned function is called first. */
export type After = (ms: number, callback: () => void) => () => void;

/** Returns the result of the work, or that of `late` if the work takes longer; without `late`, rejects. */
export function inTime<Result>(
  after: After,
  ms: number,
  work: () => Promise<Result>,
  late: () => Result | Promise<Result> = () => Promise.reject(new Error("no answer in time")),
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = after(ms, () => resolve(late()));
    // A stub may throw synchronously.
    Promise.resolve().then(work).then(resolve, reject).finally(cancel);
  });
}

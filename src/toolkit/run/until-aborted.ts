// Waits for work until a signal fires, because a connection or another call's work may ignore the signal.

/** Returns the result of the work, or rejects with the signal's reason as soon as it fires. The work itself continues, and its result is dropped. */
export async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

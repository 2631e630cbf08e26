// Limits the time of every request to Discord: one that hangs would block its reply, and the channel, forever.
import type { Timers } from "../../turn/ports.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How long a request may take, and how long one with a file may take. */
export interface RequestLimits {
  requestMs: number;
  fileMs: number;
}

/** Discord answers in well under a second, or not at all; uploading a file takes longer. */
const REQUEST_LIMITS: RequestLimits = { requestMs: 20_000, fileMs: 30_000 };

/**
 * Returns the same fetch with a time limit: it rejects if the whole answer has not arrived in time, even if the request ignores its signal. As
 * with any lost answer, the request may have taken effect.
 */
export function withTimeLimit(fetch: Fetch, timers: Timers, { requestMs, fileMs } = REQUEST_LIMITS): Fetch {
  return async (url, init) => {
    const limitMs = init.body instanceof FormData ? fileMs : requestMs;
    return withinLimit(timers, limitMs, init.signal ?? null, async (signal) => {
      const response = await fetch(url, { ...init, signal });
      return readWhole(response);
    });
  };
}

/**
 * Runs `work` until it is done, the time is up or `outer` fires, whichever comes first, and then cancels its timer. Rejects as `work` does,
 * with a `TimeoutError`, or with the reason of `outer`.
 */
export async function withinLimit<Result>(
  timers: Timers,
  limitMs: number,
  outer: AbortSignal | null,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  let onAbort = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    limit.signal.addEventListener("abort", () => reject(limit.signal.reason));
    onAbort = () => limit.abort(outer?.reason);
  });
  const cancel = timers.after(limitMs, () =>
    limit.abort(new DOMException(`no answer within ${limitMs / 1000} s`, "TimeoutError")),
  );
  outer?.addEventListener("abort", onAbort);
  if (outer?.aborted) onAbort();
  try {
    return await Promise.race([ended, work(limit.signal)]);
  } finally {
    cancel();
    outer?.removeEventListener("abort", onAbort);
  }
}

const WITHOUT_BODY: readonly number[] = [101, 204, 205, 304];

/** Waits for the whole body and returns the answer with it. */
async function readWhole(response: Response): Promise<Response> {
  const { status, statusText } = response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  // These describe the body as it was sent; it is decoded by now.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(WITHOUT_BODY.includes(status) ? null : text, { status, statusText, headers });
}

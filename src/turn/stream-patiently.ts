// Makes a model call with retries: after a temporary failure as long as the model has not begun to answer, and once with less
// conversation if it was too long. An answer that the person has begun to read is never restarted here.
import { FAILURE_POLICY, type ModelFailure } from "../core/state/ending.ts";
import type { ModelRequest } from "./ports.ts";
import { type StreamParams, streamOnce } from "./stream-once.ts";
import type { StreamResult } from "./stream-result.ts";

/** Retries after the first call. */
const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 1000;
/** If a provider asks for a longer wait, the call fails: people would rather know than wait. */
const MAX_WAIT_MS = 20_000;

/** The input of a step with retries. */
export interface PatientParams extends StreamParams {
  /** Builds the request with less conversation; null when it can't get smaller. */
  smaller: (request: ModelRequest) => ModelRequest | null;
  /** Called before each retry and the wait for it. A smaller request is sent without a wait. */
  onRetry: (failure: ModelFailure, waitMs: number) => void;
  /** Called with each result after which the same request was sent again, and not after a request that was too long: that one cost nothing. */
  onLost: (result: StreamResult) => void;
}

/** Streams one answer, with the retries above. Ends at once when the turn's signal fires, even during a wait. */
export async function streamPatiently(params: PatientParams, request: ModelRequest): Promise<StreamResult> {
  let current = request;
  let mayShrink = true;
  for (let retries = 0; ; ) {
    const result = await streamOnce(params, current);
    if (result.status !== "error" || result.hasBegun) return result;
    const { data: failure } = result;
    const { retry } = FAILURE_POLICY[failure.reason];
    if (retry === "with_less" && mayShrink) {
      const smaller = params.smaller(current);
      if (!smaller) return result;
      mayShrink = false;
      current = smaller;
      params.onRetry(failure, 0);
      continue;
    }
    const waitMs = failure.retryAfterMs ?? FIRST_WAIT_MS * 2 ** retries;
    if (retry !== "after_wait" || retries === MAX_RETRIES || waitMs > MAX_WAIT_MS) return result;
    retries++;
    params.onRetry(failure, waitMs);
    if (!(await pause(params, waitMs))) return result;
    params.onLost(result);
  }
}

/** Waits. Returns false when the turn's signal ended the wait. */
export function pause({ timers, signal }: Pick<StreamParams, "timers" | "signal">, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const done = (isOver: boolean) => {
      cancel();
      signal.removeEventListener("abort", onAbort);
      resolve(isOver);
    };
    const onAbort = () => done(false);
    const cancel = timers.after(ms, () => done(true));
    signal.addEventListener("abort", onAbort);
  });
}

// Runs a tool within its time limits, and again if that can do no harm. A tool that ignores its signal is abandoned: its later answer is
// dropped. Never throws.

import { MAX_ATTEMPTS, mayRetry } from "../define/repetition.ts";
import { isDynamic } from "../define/tool.ts";
import { type FailedRun, wholeErrorMessage } from "../tool-result.ts";
import type { CheckedCall, PlatformPorts } from "./runtime-ports.ts";
import { decideTransience, type RunEnd } from "./transient.ts";

/** The first wait may last up to this long, and each further one up to twice as long as the one before, but never longer than the cap. */
const BACKOFF_BASE_MS = 1000;
const BACKOFF_CAP_MS = 10_000;

/** How the work ended, and how many attempts it took. */
export interface Run {
  end: RunEnd;
  attempts: number;
  /** The runs before the last one, with the waits after them. `error` is as it was thrown or answered: it may contain a secret. */
  failedRuns: readonly FailedRun[];
}

type Ports = Pick<PlatformPorts, "after" | "clock" | "random">;

/** When the whole call must end (epoch milliseconds), and its limit. */
interface Whole {
  untilMs: number;
  limitMs: number;
}

/** The part of a call that a run needs. */
type RunnableCall = Pick<CheckedCall, "tool" | "input" | "context">;

/** Runs the tool on its checked arguments. `limitMs` covers all attempts and waits together. */
export async function runTool(call: RunnableCall, limitMs: number, ports: Ports): Promise<Run> {
  const { tool, context } = call;
  const allowed = mayRetry(tool) ? (tool.retry?.attempts ?? MAX_ATTEMPTS) : 1;
  const whole = { untilMs: ports.clock() + limitMs, limitMs };
  const failedRuns: FailedRun[] = [];
  for (let attempt = 1; ; attempt++) {
    const startedAt = ports.clock();
    const end = await runOnce({ ...call, context: { ...context, attempt } }, whole, ports);
    const waitMs = attempt < allowed ? waitAfter(end, attempt, isDynamic(tool), ports.random) : null;
    if (waitMs === null) return { end, attempts: attempt, failedRuns };
    failedRuns.push({
      error: describeEnd(end),
      ms: Math.max(0, ports.clock() - startedAt),
      waitMs: Math.round(waitMs),
    });
    const interruption = await interruptible(waitMs, context.signal, whole, ports);
    if (interruption) return { end: interruption, attempts: attempt, failedRuns };
  }
}

/** Returns how long to wait before the next attempt, in milliseconds; null for no further attempt. */
function waitAfter(end: RunEnd, attempt: number, byWords: boolean, random: () => number): number | null {
  const judged = decideTransience(end, byWords);
  if (!judged.transient) return null;
  const { retryAfterMs } = judged;
  // A retry that is earlier than the server asked for is useless, and a turn does not wait longer than the cap.
  if (retryAfterMs !== undefined) return retryAfterMs <= BACKOFF_CAP_MS ? retryAfterMs : null;
  return random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1));
}

/** Describes why a run failed, in words that its tool or the runtime chose. */
function describeEnd(end: RunEnd): string {
  if (end.kind === "thrown") return wholeErrorMessage(end.error);
  if (end.kind !== "answered") return end.kind;
  const { error, message } = (end.answer ?? {}) as { error?: unknown; message?: unknown };
  return ([message, error].find((one) => typeof one === "string") as string | undefined) ?? "error";
}

/** Runs one attempt, against the tool's own time limit, if it names one, and what is left of the whole call's. */
async function runOnce(call: RunnableCall, whole: Whole, ports: Ports): Promise<RunEnd> {
  const { tool, context } = call;
  const attempt = limited(context.signal, tool.timeoutMs ?? Number.POSITIVE_INFINITY, whole, ports);
  try {
    return await Promise.race([attempt.ended, callTool({ ...call, context: { ...context, ...attempt.given } })]);
  } finally {
    attempt.release();
  }
}

/** Treats a tool that throws at once like one that rejects later. */
async function callTool({ tool, input, context }: RunnableCall): Promise<RunEnd> {
  if (context.signal.aborted) return { kind: "aborted" };
  try {
    return { kind: "answered", answer: await tool.execute(input, context) };
  } catch (error) {
    return { kind: "thrown", error };
  }
}

interface Limited {
  /** What the tool gets. */
  given: { signal: AbortSignal; goesOn: () => void };
  /** Settles when the limit is reached or `outer` fires; never rejects. */
  ended: Promise<RunEnd>;
  /** Whether the limit that comes first is that of the whole call. */
  endsCall: () => boolean;
  release: () => void;
}

/** Creates a signal that fires with `outer`, or when the attempt's or the call's time is up. Whichever comes first is reported as the end. */
function limited(outer: AbortSignal, attemptMs: number, whole: Whole, ports: Ports): Limited {
  const controller = new AbortController();
  const { promise: ended, resolve: end } = Promise.withResolvers<RunEnd>();
  const onAbort = () => {
    end({ kind: "aborted" });
    controller.abort(outer.reason);
  };
  outer.addEventListener("abort", onAbort);
  if (outer.aborted) onAbort();
  let endsCall = false;
  let cancelTimer = () => {};
  let isOver = false;
  const goesOn = () => {
    if (isOver) return;
    cancelTimer();
    const leftMs = Math.max(0, whole.untilMs - ports.clock());
    endsCall = leftMs <= attemptMs;
    const limitMs = endsCall ? whole.limitMs : attemptMs;
    cancelTimer = ports.after(Math.min(attemptMs, leftMs), () => {
      end({ kind: "timeout", limitMs });
      controller.abort(new DOMException(`timed out after ${limitMs} ms`, "TimeoutError"));
    });
  };
  goesOn();
  const release = () => {
    isOver = true;
    cancelTimer();
    outer.removeEventListener("abort", onAbort);
  };
  return { given: { signal: controller.signal, goesOn }, ended, endsCall: () => endsCall, release };
}

/** Waits. Returns null after the full time, or else the reason that ended the call. */
async function interruptible(ms: number, outer: AbortSignal, whole: Whole, ports: Ports): Promise<RunEnd | null> {
  const wait = limited(outer, ms, whole, ports);
  const end = await wait.ended;
  wait.release();
  return end.kind === "timeout" && !wait.endsCall() ? null : end;
}

// Runs a tool within its limits, again where that can't do harm. A tool that ignores its signal is abandoned: what it answers
// later reaches nobody. Never throws.
import type { PlatformPorts } from "./ports.ts";
import { MAX_ATTEMPTS, mayRetry } from "./registration.ts";
import { isDynamic, type ServedContext, type ServiceName, type Tool } from "./tool.ts";
import { type AttemptFailure, transienceOf } from "./transient.ts";

/** Limit of one attempt where the tool names none. */
const ATTEMPT_TIMEOUT_MS = 30_000;
/** The first wait may last up to this, each next one up to twice as long, none longer than the cap. */
const BACKOFF_BASE_MS = 1000;
const BACKOFF_CAP_MS = 10_000;

/** How the tool's work ended. `aborted`: from outside; `timeout` names the limit that was reached. */
export type RunEnd =
  | { kind: "answered"; answer: unknown }
  | { kind: "thrown"; error: unknown }
  | { kind: "timeout"; limitMs: number }
  | { kind: "aborted" };

/** The end, and how many attempts it took. */
export interface Run {
  end: RunEnd;
  attempts: number;
}

/** Runs `tool` on checked arguments within `limitMs` for all attempts and waits together. */
export async function runTool(
  tool: Tool,
  input: unknown,
  context: ServedContext<ServiceName>,
  limitMs: number,
  ports: Pick<PlatformPorts, "after" | "random">,
): Promise<Run> {
  const allowed = mayRetry(tool) ? (tool.retry?.attempts ?? MAX_ATTEMPTS) : 1;
  const whole = limited(context.signal, limitMs, ports);
  try {
    for (let attempt = 1; ; attempt++) {
      const end = await runOnce(
        tool,
        input,
        { ...context, attempt, signal: whole.signal },
        whole.ended,
        limitMs,
        ports,
      );
      const waitMs = attempt < allowed ? waitAfter(end, attempt, isDynamic(tool), ports.random) : null;
      if (waitMs === null) return { end, attempts: attempt };
      const interruption = await interruptible(waitMs, whole.ended, ports);
      if (interruption) return { end: interruption, attempts: attempt };
    }
  } finally {
    whole.release();
  }
}

/** How long to wait before the next attempt; null when there is to be none. */
function waitAfter(end: RunEnd, attempt: number, byWords: boolean, random: () => number): number | null {
  const failure = failureIn(end);
  const judged = failure ? transienceOf(failure, byWords) : null;
  if (!judged?.transient) return null;
  const { retryAfterMs } = judged;
  // Asking earlier than one was told to is no help, and a turn does not wait longer than this.
  if (retryAfterMs !== undefined) return retryAfterMs <= BACKOFF_CAP_MS ? retryAfterMs : null;
  return random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1));
}

function failureIn(end: RunEnd): AttemptFailure | null {
  switch (end.kind) {
    case "timeout":
      return { kind: "timeout" };
    case "thrown":
      return end;
    case "answered": {
      const { ok, success } = (end.answer ?? {}) as { ok?: unknown; success?: unknown };
      return (ok ?? success) === false ? end : null;
    }
    case "aborted":
      return null;
  }
}

/** One attempt, raced against its own limit and the whole one. */
async function runOnce(
  tool: Tool,
  input: unknown,
  context: ServedContext<ServiceName>,
  wholeEnded: Promise<RunEnd>,
  wholeLimitMs: number,
  ports: Pick<PlatformPorts, "after">,
): Promise<RunEnd> {
  const limitMs = tool.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
  if (limitMs >= wholeLimitMs) return Promise.race([wholeEnded, answerOf(tool, input, context)]);
  const own = limited(context.signal, limitMs, ports);
  try {
    const work = answerOf(tool, input, { ...context, signal: own.signal });
    return await Promise.race([wholeEnded, own.ended, work]);
  } finally {
    own.release();
  }
}

/** A tool that throws at once and one that rejects later are the same. */
async function answerOf(tool: Tool, input: unknown, context: ServedContext<ServiceName>): Promise<RunEnd> {
  if (context.signal.aborted) return { kind: "aborted" };
  try {
    return { kind: "answered", answer: await tool.execute(input, context) };
  } catch (error) {
    return { kind: "thrown", error };
  }
}

interface Limited {
  signal: AbortSignal;
  /** Settles when the limit is reached or `outer` fires; never rejects. */
  ended: Promise<RunEnd>;
  release: () => void;
}

/** A signal that fires with `outer` or when the time is up. The first listener of `outer` decides what the end is called. */
function limited(outer: AbortSignal, limitMs: number, ports: Pick<PlatformPorts, "after">): Limited {
  const controller = new AbortController();
  let end = (_end: RunEnd) => {};
  const ended = new Promise<RunEnd>((resolve) => {
    end = resolve;
  });
  const onAbort = () => {
    end({ kind: "aborted" });
    controller.abort(outer.reason);
  };
  outer.addEventListener("abort", onAbort);
  if (outer.aborted) onAbort();
  const cancelTimer = ports.after(limitMs, () => {
    end({ kind: "timeout", limitMs });
    controller.abort(new DOMException(`timed out after ${limitMs} ms`, "TimeoutError"));
  });
  const release = () => {
    cancelTimer();
    outer.removeEventListener("abort", onAbort);
  };
  return { signal: controller.signal, ended, release };
}

/** Waits; null when the time has passed, else what came in between. */
async function interruptible(
  ms: number,
  ended: Promise<RunEnd>,
  ports: Pick<PlatformPorts, "after">,
): Promise<RunEnd | null> {
  let cancel = () => {};
  const passed = new Promise<null>((resolve) => {
    cancel = ports.after(ms, () => resolve(null));
  });
  try {
    return await Promise.race([ended, passed]);
  } finally {
    cancel();
  }
}

// Makes one model call, from its request to its result. Owns the idle timeout and aborts the request; knows nothing about tools or about
// how the turn uses the answer.

import type { ModelFailure } from "../core/state/ending.ts";
import type { StopFlag } from "../core/state/record.ts";
import { hearAnswer } from "./hear-answer.ts";
import { startIdleTimeout } from "./idle-timeout.ts";
import type { Clock, Model, ModelRequest, Timers, TurnAbort, TurnLimits } from "./ports.ts";
import type { Heard, StreamResult } from "./stream-result.ts";
import { listenForCalls } from "./text-tool-calls.ts";

/** The input of one step. `onText` gets all visible text so far each time it changes: either empty, or with words in it. */
export interface StreamParams {
  model: Model;
  timers: Timers;
  clock: Clock;
  limits: Pick<TurnLimits, "firstTokenTimeoutMs" | "streamTimeoutMs">;
  /** The turn's signal. */
  signal: AbortSignal;
  /** The stored flag that asks the turn to end; it takes precedence over every other reason. */
  stopFlag: () => StopFlag | null;
  onText: (text: string) => void;
  /** The name of the voice that answers: it is dropped if the model begins with it. */
  ownName: string;
  /** Names of the tools that exist: text that mentions them may be a call. */
  toolNames: readonly string[];
  /** Called at the model's first text, thought or call. */
  onBegun?: () => void;
  /** Sets the listener for progress outside the stream, which is each request that Discord accepted; null, when the step ends, removes it. */
  onReplyProgress?: (listener: (() => void) | null) => void;
}

/**
 * Streams one answer. Settles at once when the turn's signal fires or the model exceeds the idle timeout, whatever the model does; the HTTP
 * request is aborted in both cases. The timer and the listeners are removed before it returns. Never throws.
 */
export async function streamOnce(params: StreamParams, request: ModelRequest): Promise<StreamResult> {
  const { signal } = params;
  const { firstTokenTimeoutMs, streamTimeoutMs } = params.limits;
  const requestAbort = new AbortController();
  const heard: Heard = { accumulatedText: "", detailsContent: "", thoughtLog: "", hasBegun: false };
  let cutOff = (_result: StreamResult) => {};
  const cutShort = new Promise<StreamResult>((resolve) => {
    cutOff = resolve;
  });
  const killStream = (result: StreamResult) => {
    cutOff(result);
    requestAbort.abort();
  };
  const stopped = (abort: TurnAbort): StreamResult => ({ ...heard, ...decideStopStatus(abort, params.stopFlag()) });
  const onTurnAbort = () => killStream(stopped(signal.reason as TurnAbort));
  const onIdle = (ms: number) =>
    killStream(
      params.stopFlag() ? stopped({ kind: "flagged" }) : { ...heard, status: "timeout", data: idleFailure(ms) },
    );
  const idleTimeout = startIdleTimeout(params, { firstMs: firstTokenTimeoutMs, leastMs: streamTimeoutMs }, onIdle);
  const onProgress = (isStream: boolean) => {
    if (isStream && !heard.hasBegun) params.onBegun?.();
    heard.hasBegun ||= isStream;
    idleTimeout.heard(heard.hasBegun ? streamTimeoutMs : firstTokenTimeoutMs);
  };
  signal.addEventListener("abort", onTurnAbort);
  params.onReplyProgress?.(() => onProgress(false));
  try {
    if (signal.aborted) onTurnAbort();
    const events = params.model.stream(request, requestAbort.signal);
    const round = request.messages.filter(({ role }) => role === "assistant").length;
    const whole = hearAnswer(events, heard, requestAbort.signal, {
      onProgress: () => onProgress(true),
      onText: params.onText,
      ownName: params.ownName,
      listen: () => listenForCalls(params.model.toolMode ?? "native", params.toolNames, round),
    });
    return await Promise.race([cutShort, whole]);
  } finally {
    idleTimeout.end();
    signal.removeEventListener("abort", onTurnAbort);
    params.onReplyProgress?.(null);
  }
}

const idleFailure = (ms: number): ModelFailure => ({
  reason: "timeout",
  message: `SDK_CALL_TIMEOUT: no progress for ${ms} ms`,
});

/** Decides the status of a step that the turn ended. The stored flag takes precedence over a deadline. */
function decideStopStatus(abort: TurnAbort, flag: StopFlag | null) {
  if (flag)
    return {
      status: flag.kind === "follow_up" ? "follow_up_interrupt" : "stopped_by_user",
      stopReason: { kind: "flagged" },
    } as const;
  switch (abort.kind) {
    case "deadline":
      return { status: "timeout", data: DEADLINE, stopReason: abort } as const;
    case "flagged":
    case "gone":
    case "superseded":
      return { status: "stopped_by_user", stopReason: abort } as const;
  }
}

const DEADLINE: ModelFailure = { reason: "timeout", message: "the turn's deadline has passed" };

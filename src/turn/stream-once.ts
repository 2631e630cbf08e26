// One pass of the model: its stream into text, calls and a status. Owns the silence limit and the abort of the request;
// knows nothing of tools or of what the turn does with the answer.
import type { ModelFailure } from "../core/failure.ts";
import type { ToolCall } from "../core/transcript.ts";
import type { Model, ModelEvent, ModelRequest, Timers, TokenUsage, TurnAbort, TurnLimits } from "./ports.ts";

/** How the pass ended. On `stopped` the turn's own signal fired; its reason says why. */
export type StreamResult =
  | { status: "completed"; text: string; usage: TokenUsage | null }
  | { status: "function_call"; text: string; calls: ToolCall[]; truncated: boolean; usage: TokenUsage | null }
  | { status: "empty_response"; usage: TokenUsage | null }
  | { status: "error"; text: string; failure: ModelFailure }
  | { status: "timeout"; text: string; failure: ModelFailure }
  | { status: "stopped"; text: string; abort: TurnAbort };

/** What one pass needs. `onText` gets the whole text so far, each time it grows. */
export interface StreamParams {
  model: Model;
  timers: Timers;
  limits: Pick<TurnLimits, "firstTokenTimeoutMs" | "streamTimeoutMs">;
  /** The turn's signal. */
  signal: AbortSignal;
  onText: (text: string) => void;
}

/**
 * Streams one answer. Settles at once when the turn's signal fires or the model is silent for too long, whatever the model
 * does; the HTTP request is aborted in both cases. Timer and listener are gone when it returns.
 */
export async function streamOnce(params: StreamParams, request: ModelRequest): Promise<StreamResult> {
  const { limits, signal, timers } = params;
  const pass = new AbortController();
  const seen = { text: "" };
  let settle = (_result: StreamResult) => {};
  const cutShort = new Promise<StreamResult>((resolve) => {
    settle = resolve;
  });
  const end = (result: StreamResult) => {
    settle(result);
    pass.abort();
  };
  const onTurnAbort = () => end({ status: "stopped", text: seen.text, abort: signal.reason as TurnAbort });
  const onSilence = (ms: number) => () => end({ status: "timeout", text: seen.text, failure: silence(ms) });
  let clearSilence = timers.after(limits.firstTokenTimeoutMs, onSilence(limits.firstTokenTimeoutMs));
  const onProgress = () => {
    clearSilence();
    clearSilence = timers.after(limits.streamTimeoutMs, onSilence(limits.streamTimeoutMs));
  };
  signal.addEventListener("abort", onTurnAbort);
  try {
    if (signal.aborted) onTurnAbort();
    const events = params.model.stream(request, pass.signal);
    return await Promise.race([cutShort, consume(events, seen, pass.signal, onProgress, params.onText)]);
  } finally {
    clearSilence();
    signal.removeEventListener("abort", onTurnAbort);
  }
}

const silence = (ms: number): ModelFailure => ({
  reason: "timeout",
  message: `SDK_CALL_TIMEOUT: no progress for ${ms} ms`,
});

async function consume(
  events: AsyncIterable<ModelEvent>,
  seen: { text: string },
  aborted: AbortSignal,
  onProgress: () => void,
  onText: (text: string) => void,
): Promise<StreamResult> {
  for await (const event of events) {
    // The race was lost: nothing that comes now may reach the reply.
    if (aborted.aborted) break;
    if (event.kind === "end") return ended(seen.text, event);
    if (event.kind === "failed") return { status: "error", text: seen.text, failure: event.failure };
    onProgress();
    if (event.kind !== "text") continue;
    seen.text += event.text;
    onText(seen.text);
  }
  const failure: ModelFailure = { reason: "bad_stream", message: "the stream ended without an end" };
  return { status: "error", text: seen.text, failure };
}

function ended(text: string, event: Extract<ModelEvent, { kind: "end" }>): StreamResult {
  const { calls, usage } = event;
  if (calls.length > 0)
    return { status: "function_call", text, calls, truncated: event.finishReason === "length", usage };
  return text.trim() === "" ? { status: "empty_response", usage } : { status: "completed", text, usage };
}

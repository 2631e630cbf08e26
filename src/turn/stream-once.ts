// One model call: turns its stream into visible text, reasoning, details, calls and a status. Owns the idle timeout and
// the abort of the request; knows nothing about tools or about how the turn uses the answer.

import { isUnseen } from "../core/markdown/visible-characters.ts";
import type { ModelFailure } from "../core/state/ending.ts";
import type { StopFlag } from "../core/state/record.ts";
import type { MadeFile } from "../core/state/reply-files.ts";
import { createLabelGuard, withoutLabel } from "../core/transcript/own-label.ts";
import { createReasoningTagParser, type Separated } from "../core/transcript/reasoning-tags.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import type { NativeParts, ToolCall } from "../core/transcript/transcript.ts";
import { createAnswerRoom } from "./answer-limits.ts";
import { startIdleTimeout } from "./idle-timeout.ts";
import type {
  Clock,
  FinishReason,
  Model,
  ModelEvent,
  ModelRequest,
  Timers,
  TokenUsage,
  TurnAbort,
  TurnLimits,
} from "./ports.ts";
import { listenForCalls, type TextToolCalls } from "./text-tool-calls.ts";

/** What a step said, however it ended. The thought log is never shown in the channel. */
export interface Heard {
  accumulatedText: string;
  detailsContent: string;
  thoughtLog: string;
  /** The model has begun to answer, if only with a call. */
  hasBegun: boolean;
  /** The estimated tokens of output that is in none of the texts: arguments of calls, and reasoning past its limit. */
  unkeptTokens?: number;
  /** The rest of the answer was not read: it was longer than one answer may be. */
  oversized?: true;
}

/** How the step ended. `stopReason` is set when the turn was stopped, and names the cause. */
export type StreamResult = Heard &
  (
    | {
        status: "completed";
        finishReason: FinishReason;
        usage: TokenUsage | null;
        native: NativeParts | null;
        files?: readonly MadeFile[];
      }
    | {
        status: "function_call";
        data: ToolCall[];
        finishReason: FinishReason;
        usage: TokenUsage | null;
        native: NativeParts | null;
        files?: readonly MadeFile[];
      }
    | { status: "empty_response"; finishReason: FinishReason; usage: TokenUsage | null }
    | { status: "error"; data: ModelFailure; usage?: TokenUsage }
    | { status: "timeout"; data: ModelFailure; stopReason?: TurnAbort }
    | { status: "stopped_by_user" | "follow_up_interrupt"; stopReason: TurnAbort }
  );

/** The input of one step. `onText` gets the whole visible text so far, each time it changes: empty, or with words in it. */
export interface StreamParams {
  model: Model;
  timers: Timers;
  clock: Clock;
  limits: Pick<TurnLimits, "firstTokenTimeoutMs" | "streamTimeoutMs">;
  /** The turn's signal. */
  signal: AbortSignal;
  /** The stored request to end the turn, which beats every other reason. */
  stopFlag: () => StopFlag | null;
  onText: (text: string) => void;
  /** The name of the voice that answers: it is dropped where the model begins with it. */
  ownName: string;
  /** Names of the tools that exist: text that mentions them may be a call. */
  toolNames: readonly string[];
  /** Called with the model's first word, thought or call. */
  onBegun?: () => void;
  /** Passes on progress outside the stream: a request that Discord accepted. Called with null when the step ends. */
  onReplyProgress?: (listener: (() => void) | null) => void;
}

/**
 * Streams one answer. Settles at once when the turn's signal fires or the model exceeds the idle timeout, whatever the
 * model does; the HTTP request is aborted in both cases. Timer and listeners are gone when it returns. Never throws.
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
    const consumed = consume(events, heard, requestAbort.signal, () => onProgress(true), {
      listen: () => listenForCalls(params.model.toolMode ?? "native", params.toolNames, round),
      onText: params.onText,
      ownName: params.ownName,
    });
    return await Promise.race([cutShort, consumed]);
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

/** The status of a step that the turn ended: a stop beats a deadline and a follow-up. */
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

async function consume(
  events: AsyncIterable<ModelEvent>,
  heard: Heard,
  aborted: AbortSignal,
  onProgress: () => void,
  { listen, onText, ownName }: Pick<StreamParams, "onText" | "ownName"> & { listen: () => TextToolCalls },
): Promise<StreamResult> {
  const tags = createReasoningTagParser();
  const room = createAnswerRoom();
  let [textCalls, guard] = [listen(), createLabelGuard(ownName)];
  // There may be a piece for each character: none of them is a reason to read the whole text.
  let isBlank = true;
  const show = (text: string) => {
    heard.accumulatedText += text;
    isBlank &&= isUnseen(text);
    if (text !== "") onText(isBlank ? "" : heard.accumulatedText);
  };
  const keepThought = (thought: string) => {
    const { kept, unkeptTokens } = room.thought(thought);
    heard.thoughtLog += kept;
    countUnkept(unkeptTokens);
  };
  const countUnkept = (tokens: number) => {
    if (tokens > 0) heard.unkeptTokens = (heard.unkeptTokens ?? 0) + tokens;
  };
  const takeBack = () => {
    keepThought(heard.accumulatedText + guard.push(textCalls.end()) + guard.end());
    heard.accumulatedText = "";
    isBlank = true;
    [textCalls, guard] = [listen(), createLabelGuard(ownName)];
    onText("");
  };
  const take = ({ text, thought, details, wasThought, wasText }: Separated) => {
    if (wasThought) takeBack();
    keepThought(thought);
    heard.detailsContent += details;
    if (wasText) heard.detailsContent = heard.detailsContent.slice(0, -wasText);
    show(guard.push(textCalls.push(text)));
  };
  const takeRest = () => {
    take(tags.end());
    show(guard.push(textCalls.end()) + guard.end());
  };
  for await (const event of events) {
    // The race is lost: nothing that arrives now may reach the reply.
    if (aborted.aborted) break;
    switch (event.kind) {
      case "end": {
        takeRest();
        const found = textCalls.calls();
        if (!found) return ended(heard, { ...event, calls: textCalls.mayCall ? room.calls(event.calls) : [] });
        heard.accumulatedText = withoutLabel(found.text, ownName);
        onText(heard.accumulatedText);
        return ended(heard, { ...event, calls: room.calls([...event.calls, ...found.calls]) });
      }
      case "failed":
        takeRest();
        return { ...heard, status: "error", data: event.failure, ...(event.usage ? { usage: event.usage } : {}) };
      case "text":
        onProgress();
        take(tags.push(room.text(event.text)));
        if (!room.isFull()) break;
        // Leaving the stream closes it.
        takeRest();
        return ended(heard, { kind: "end", finishReason: "length", calls: [], usage: null, oversized: true });
      case "reasoning":
        onProgress();
        keepThought(event.text);
        break;
      case "call_piece":
        onProgress();
        countUnkept(estimateTokens(event.text ?? ""));
        break;
    }
  }
  return { ...heard, status: "error", data: { reason: "bad_stream", message: "the stream ended without an end" } };
}

function ended(all: Heard, end: Extract<ModelEvent, { kind: "end" }>): StreamResult {
  const { calls, usage, finishReason, native = null, oversized, files = [] } = end;
  const heard = oversized ? { ...all, oversized } : all;
  const made = files.length > 0 ? { files } : {};
  if (calls.length > 0) return { ...heard, status: "function_call", data: calls, finishReason, usage, native, ...made };
  if (isUnseen(heard.accumulatedText) && files.length === 0)
    return { ...heard, status: "empty_response", finishReason, usage };
  return { ...heard, status: "completed", finishReason, usage, native, ...made };
}

// A language model as a turn calls it: the request, the events that it streams, and its abilities.
import type { Price } from "../core/money/price.ts";
import type { TokenUsage } from "../core/money/usage.ts";
import type { ModelFailure } from "../core/state/ending.ts";
import type { RequestContents } from "../core/state/inspected.ts";
import type { MadeFile } from "../core/state/reply-files.ts";
import type { Message, NativeParts, ToolCall } from "../core/transcript/transcript.ts";
import type { ToolSchema } from "../toolkit/define/tool-cards.ts";

/** One model call: the whole conversation and the offered tools. */
export interface ModelRequest {
  system: string;
  messages: Message[];
  tools: readonly ToolSchema[];
  /** `none`: the tools are listed, so that a provider's cache keeps the beginning of the request, but none may be called. */
  toolChoice?: "none";
  /** The most tokens that the answer may have, including thoughts; missing: the configured limit applies. */
  maxOutputTokens?: number;
  /** No other model is tried after this one. If it refuses pictures or tools, it answers without the pictures and reads about the tools as text. */
  isLastModel?: boolean;
  /** What the request consists of, for the inspector; never sent. */
  contents?: Omit<RequestContents, "tools" | "estimatedTokens">;
}

export type { TokenUsage } from "../core/money/usage.ts";

/** `length`: the answer was cut at the provider's limit, so open arguments must not run. */
export type FinishReason = "stop" | "tool_calls" | "length";

/** What a model streams. Text, reasoning and call pieces are progress; `end` or `failed` comes once and last. */
export type ModelEvent =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  /** `text`: the part of a call's arguments that arrived, if any. */
  | { kind: "call_piece"; text?: string }
  /** `oversized`: the rest was not read, because the answer was longer than one answer may be. `files`: what the model made besides text. */
  | {
      kind: "end";
      finishReason: FinishReason;
      calls: ToolCall[];
      usage: TokenUsage | null;
      native?: NativeParts;
      oversized?: true;
      files?: readonly MadeFile[];
    }
  | { kind: "failed"; failure: ModelFailure; usage?: TokenUsage };

/** How a model calls tools: with the provider's own calls, as text tool calls, or not at all. */
export type ToolMode = "native" | "fallback" | "none";

/** A language model. */
export interface Model {
  readonly name: string;
  /** The default is `native`. It may change when a server refuses something. */
  readonly toolMode?: ToolMode;
  /** If the answer has text before a call, the turn ends when the call succeeds, because the model would only repeat that text. */
  readonly endsTurnAfterText?: true;
  /** The most tokens that a whole request may have, if known. */
  readonly contextTokens?: number;
  /** False: it accepts only text. A server's refusal may set this. */
  readonly images?: boolean;
  /** Missing: unknown. */
  readonly price?: Price | undefined;
  /**
   * Called when the provider no longer knows the model. Returns whether another model of the same provider has taken its place; this object then
   * stands for that model.
   */
  succeed?(): boolean;
  /**
   * Streams one answer. Never throws. Aborting the signal closes the HTTP request at once; the stream then ends with the failure `aborted`. May
   * be called again with the same request: a model call has no side effect except its cost.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

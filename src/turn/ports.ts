// What a turn needs from outside. Each port belongs to the turn and says whether it may throw and may run twice; no port
// throws for an expected failure.
import type { ModelFailure } from "../core/failure.ts";
import type { CurrentToolCall, StopFlag } from "../core/record.ts";
import type { Message, ToolCall } from "../core/transcript.ts";
import type { ToolSchema } from "../toolkit/registry.ts";
import type { ToolResult } from "../toolkit/runtime.ts";

/** One call of a model: the whole conversation and the tools that are offered. */
export interface ModelRequest {
  system: string;
  messages: Message[];
  tools: readonly ToolSchema[];
}

/** Tokens as the provider counted them. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

/** `length`: the answer was cut at the provider's limit, so open arguments must not be run. */
export type FinishReason = "stop" | "tool_calls" | "length";

/** What a model streams. Text, reasoning and call pieces are progress; `end` or `failed` comes once and last. */
export type ModelEvent =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "call_piece" }
  | { kind: "end"; finishReason: FinishReason; calls: ToolCall[]; usage: TokenUsage | null }
  | { kind: "failed"; failure: ModelFailure };

/** A language model. */
export interface Model {
  readonly name: string;
  /**
   * Streams one answer. Never throws. Aborting the signal closes the HTTP request at once; the stream then ends with the
   * failure `aborted`. May be called again with the same request: a model call has no side effect but its cost.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** What the person sees while a turn runs: the answer so far and a small line below it. */
export interface ReplyView {
  text: string;
  line: string | null;
  /** Least time since the last edit, where the usual pace is faster than people want to see it change. */
  gapMs?: number;
}

/** The reply in Discord while the turn runs. Paced, newest text wins, safe to call as often as there is text. */
export interface Reply {
  /** Shows the newest view some time soon; returns at once, never throws. */
  show(view: ReplyView): void;
  /** The text, without its line, that Discord has accepted. */
  postedText(): string;
}

/** One call of a stored answer, with the place that makes it unique: ids of models repeat. */
export interface PlacedCall {
  messageSeq: number;
  position: number;
  call: ToolCall;
}

/** What the ledger knows of a call: `launched` without a result means that its outcome is unknown. */
export type LedgerEntry = { state: "launched"; ownLife: boolean } | { state: "settled"; result: ToolResult };

/**
 * The turn's part of the channel's storage. Synchronous. Every write is one transaction and conditional on the turn, the
 * instance and the epoch that the turn was started with; it answers false when that is no longer so, and then the turn must
 * end without another word.
 */
export interface TurnStore {
  /** The flag that asks this turn to end, if there is one. */
  stopFlag(): StopFlag | null;
  conversation(): { earlier: Message[]; current: Message[] };
  /** Calls of the turn's last answer that have no result yet, in order. */
  openCalls(): PlacedCall[];
  ledgerEntry(call: PlacedCall): LedgerEntry | null;
  modelCallStarted(iteration: number): boolean;
  /** Stores an answer that calls tools; the calls come back with their places. Null: no longer ours. */
  modelAnswered(answer: ModelAnswer): PlacedCall[] | null;
  toolLaunched(call: PlacedCall, current: CurrentToolCall, deadlineAt: number, readOnly: boolean): boolean;
  toolSettled(call: PlacedCall, result: ToolResult): boolean;
  /** Where to go on: the iteration that the last life had reached. */
  iteration(): number;
}

/** One answer of a model, as the transcript and the timeline keep it. */
export interface ModelAnswer {
  text: string;
  calls: ToolCall[];
  usage: TokenUsage | null;
  model: string;
}

/** What the gate says to a call; a refusal's payload is what the model gets to read. */
export type GateVerdict = { allowed: true } | { allowed: false; payload: Record<string, unknown> };

/** Asked right before a tool is launched, also for calls that were never offered. */
export interface Gate {
  decide(toolName: string): GateVerdict;
}

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Timers that can be cleared; an uncleared one keeps a billed object in memory. */
export interface Timers {
  /** Calls back once after `ms`, unless the function that it returned is called first. */
  after(ms: number, callback: () => void): () => void;
}

/** Structured log lines. Never given a secret; never throws. */
export interface Log {
  info(line: string, detail?: Record<string, unknown>): void;
  warn(line: string, detail?: Record<string, unknown>): void;
  error(line: string, detail?: Record<string, unknown>): void;
}

/** Why a running turn is told to end; the reason of its AbortSignal. */
export type TurnAbort =
  | { kind: "flagged" }
  | { kind: "deadline" }
  /** The person deleted the reply, or the channel is lost: nobody is left to answer. */
  | { kind: "gone" }
  /** Another life of the object owns the turn. */
  | { kind: "superseded" };

/** Limits of one turn, from the configuration; milliseconds. */
export interface TurnLimits {
  maxIterations: number;
  maxConsecutiveToolErrors: number;
  firstTokenTimeoutMs: number;
  streamTimeoutMs: number;
  toolTimeoutMs: number;
}

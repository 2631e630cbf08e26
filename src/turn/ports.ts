// What a turn needs from outside. Each port belongs to the turn and says whether it may throw and may run twice; no port
// throws for an expected failure.

import type { AskedCall } from "../core/state/approval.ts";
import type { Attachment } from "../core/state/attachments.ts";
import type { ModelFailure } from "../core/state/ending.ts";
import type { Enrichment, EnrichmentItem } from "../core/state/enrichment.ts";
import type { StopFlag } from "../core/state/record.ts";
import type { Message, NativeParts, ToolCall } from "../core/transcript/transcript.ts";
import type { ToolSchema } from "../toolkit/define/registry.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import type { Approvals, Ledger } from "../toolkit/run/runtime-ports.ts";

/** One call of a model: the whole conversation and the tools that are offered. */
export interface ModelRequest {
  system: string;
  messages: Message[];
  tools: readonly ToolSchema[];
}

/** Tokens as the provider counted them, or as we estimate them where it counts none. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  isEstimate?: true;
}

/** `length`: the answer was cut at the provider's limit, so open arguments must not be run. */
export type FinishReason = "stop" | "tool_calls" | "length";

/** What a model streams. Text, reasoning and call pieces are progress; `end` or `failed` comes once and last. */
export type ModelEvent =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "call_piece" }
  | { kind: "end"; finishReason: FinishReason; calls: ToolCall[]; usage: TokenUsage | null; native?: NativeParts }
  | { kind: "failed"; failure: ModelFailure };

/** How a model calls tools: by the provider's own calls, by writing them into its text, or not at all. */
export type ToolMode = "native" | "fallback" | "none";

/** A language model. */
export interface Model {
  readonly name: string;
  /** `native` unless said. */
  readonly toolMode?: ToolMode;
  /** A turn whose answer was spoken before a call ends when the call succeeds: the model would only say it again. */
  readonly endsTurnAfterText?: true;
  /** Tokens that a request may hold in all, as far as it is known. */
  readonly contextTokens?: number;
  /** False: it takes text alone. */
  readonly images?: boolean;
  /**
   * Streams one answer. Never throws. Aborting the signal closes the HTTP request at once; the stream then ends with the
   * failure `aborted`. May be called again with the same request: a model call has no side effect but its cost.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** The beginning of a text file; `bytes` is how many were read. `not_text`: it holds what no text does. */
export type ReadText = { ok: true; text: string; bytes: number } | { ok: false; reason: "not_text" | "unreachable" };

/** Where the files of a question are read. Neither method throws; both may be asked again. */
export interface AttachmentReader {
  /** Where a model's provider can fetch the picture; null when the address is not one of Discord's. */
  imageUrl(attachment: Attachment): string | null;
  /** The first `maxBytes` of a file. Ends early, as unreachable, when the signal fires. */
  readText(attachment: Attachment, maxBytes: number, signal: AbortSignal): Promise<ReadText>;
}

/** What the person sees while a turn runs: the answer so far and a small line below it. */
export interface ReplyView {
  text: string;
  line: string | null;
  /** Least time since the last edit, where the usual pace is faster than people want to see it change. */
  gapMs?: number;
  /** It asks for a person's agreement, and can be answered below. */
  asks?: true;
}

/** The reply in Discord while the turn runs. Paced, newest text wins, safe to call as often as there is text. */
export interface Reply {
  /** Shows the newest view some time soon; returns at once, never throws. */
  show(view: ReplyView): void;
  /** The text, without its line, that Discord has accepted. */
  postedText(): string;
  /** Calls the listener after each request that Discord accepted; null takes it away. */
  onAccepted(listener: (() => void) | null): void;
}

/** One call of a stored answer, with the place that makes it unique: ids of models repeat. */
export interface NumberedCall {
  messageSeq: number;
  position: number;
  call: ToolCall;
}

/** A stored answer. A withdrawn call left null in its place; a result is null while there is none. */
export interface StoredRound {
  text: string;
  details: string;
  calls: ({ placed: NumberedCall; result: ToolResult | null } | null)[];
}

/**
 * The turn's part of the channel's storage. Synchronous. Every write is one transaction and conditional on the turn, the
 * instance and the epoch that the turn was started with; it answers false when that is no longer so, and then the turn must
 * end without another word.
 */
export interface TurnStore {
  /** The flag that asks this turn to end, if there is one. */
  stopFlag(): StopFlag | null;
  conversation(): { earlier: Message[]; current: Message[] };
  /** The stored answers of the present attempt, oldest first, with what their calls came to. */
  rounds(): StoredRound[];
  /** What the runtime asks before a call that changes something, and where it writes what became of it. */
  readonly ledger: Ledger;
  /** What people said of the turn's dangerous call. */
  readonly approvals: Approvals;
  /** The call that a person is to be asked about, as the runtime noted it; null when there is none. */
  asked(): AskedCall | null;
  enrichment(): Enrichment;
  /** Discord's ids of the messages that carry handles, by handle; empty until handles were revealed. */
  messageIds(): ReadonlyMap<string, string>;
  /** Which of the models is to answer. */
  modelIndex(): number;
  /** Begins an attempt with another model: the last one's answers leave the conversation, its results stay in the ledger. */
  fallbackBegun(modelIndex: number): boolean;
  /** `mayWarn`: the person may be told, from some iteration on, that the turn takes long. */
  modelCallStarted(iteration: number, mayWarn: boolean): boolean;
  /** An answer without words or calls was paid for all the same. */
  modelSaidNothing(usage: TokenUsage | null): boolean;
  /** Stores an answer that calls tools; the calls come back with their places. Null: no longer ours. */
  modelAnswered(answer: ModelAnswer): NumberedCall[] | null;
  /** Calls that only read begin, at least one, in one write. What changes something is launched by the ledger. */
  readsLaunched(calls: readonly NumberedCall[], at: number, deadlineAt: number): boolean;
  /** A call that enriched the context instead: it leaves its answer, and its tool is withdrawn for the rest of the turn. */
  callWithdrawn(call: NumberedCall, restart: ContextRestart): boolean;
  /** The call's result, whatever it came of. What the ledger has settled is not written again. */
  toolSettled(call: NumberedCall, result: ToolResult): boolean;
  /** Where to go on: the iteration that the last life had reached. */
  iteration(): number;
  /** A line of the timeline. It rides on the next write: a row of its own would cost as much as the step itself. */
  note(what: string, detail: string): void;
}

/** What a context restart leaves behind. `item` stands last in the conversation from then on. */
export interface ContextRestart {
  toolName: string;
  item: EnrichmentItem | null;
  metadata: boolean;
}

/** One answer of a model, as the transcript and the timeline keep it. */
export interface ModelAnswer {
  text: string;
  details: string;
  native: NativeParts | null;
  calls: ToolCall[];
  usage: TokenUsage | null;
  model: string;
  /** From the request to the answer's end, with the waits between tries. */
  durationMs: number;
}

/** Why a tool is offered in a turn that offers only what was asked for. */
export interface TriggerMatch {
  phrase: string;
  /** `built-in`, `custom` or `follow-up`. */
  source: string;
}

/** What the gate says to a call; a refusal's payload is what the model gets to read. */
export type GateVerdict =
  | { allowed: true; trigger?: TriggerMatch }
  | { allowed: false; payload: Record<string, unknown> };

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

// What a turn needs from outside. The ports belong to the turn. Each says whether it may throw and may run twice; no port
// throws for an expected failure.

import type { TokenUsage } from "../core/money/usage.ts";
import type { AskedCall } from "../core/state/approval-request.ts";
import type { Attachment } from "../core/state/attachments.ts";
import type { Enrichment, EnrichmentItem } from "../core/state/enrichment.ts";
import type { ModelCallNote } from "../core/state/inspected.ts";
import type { HeardSound } from "../core/state/media.ts";
import type { StopFlag } from "../core/state/record.ts";
import type { MadeFile } from "../core/state/reply-files.ts";
import type { TurnEvent } from "../core/state/turn-events.ts";
import type { Taint } from "../core/taint/taint.ts";
import type { Message, NativeParts, NumberOf, ToolCall } from "../core/transcript/transcript.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import type { Approvals, Ledger } from "../toolkit/run/runtime-ports.ts";

export type { FinishReason, Model, ModelEvent, ModelRequest, TokenUsage, ToolMode } from "./model-port.ts";

/** The beginning of a text file; `bytes` is how many were read. `not_text`: it contains bytes that no text has. */
export type ReadText = { ok: true; text: string; bytes: number } | { ok: false; reason: "not_text" | "unreachable" };

/** Reads the files of a question. Neither method throws; both may run again. */
export interface AttachmentReader {
  /** An address where a model's provider can fetch the picture; null when it is not one of Discord's. */
  imageUrl(attachment: Attachment): string | null;
  /** Reads the first `maxBytes` of a file. Ends early, as unreachable, when the signal fires. */
  readText(attachment: Attachment, maxBytes: number, signal: AbortSignal): Promise<ReadText>;
}

/** What the person sees while a turn runs: the answer so far and a status line below it. */
export interface ReplyView {
  text: string;
  line: string | null;
  /** The least time since the last edit, when the usual pace would update too often. */
  gapMs?: number;
  /** It asks for a person's approval and has the buttons for it. */
  asks?: true;
  /** A file beside the line, as long as this view is shown; `files`: what tools and models made, with the last view. */
  file?: { name: string; text: string };
  files?: readonly MadeFile[];
}

/** The reply in Discord while the turn runs. Paced, newest text wins, may be called for every piece of text. */
export interface Reply {
  /** Shows the newest view soon; returns at once, never throws. */
  show(view: ReplyView): void;
  /** The text, without its line, that Discord has accepted, or may already show before it answers. */
  postedText(): string;
  /** Calls the listener after each request that Discord accepted; null removes it. */
  onAccepted(listener: (() => void) | null): void;
}

/** One call of a stored answer, with the position that makes it unique: models repeat ids. */
export interface NumberedCall {
  messageSeq: number;
  position: number;
  call: ToolCall;
}

/** A stored answer. A withdrawn call is null; a result is null until there is one. */
export interface StoredRound {
  text: string;
  details: string;
  calls: ({ placed: NumberedCall; result: ToolResult | null } | null)[];
}

/** The messages of earlier turns and of the turn itself, and what was said before them all. */
export interface Conversation {
  earlier: Message[];
  current: Message[];
  /** Lets the window begin at the same message for many turns. */
  numberOf?: NumberOf;
  /** Missing or empty: nothing is summarised. */
  summary?: string;
  /** Some of the summarised turns had read words of strangers. */
  isSummaryTainted?: boolean;
}

/**
 * The turn's part of the channel's storage. Synchronous. Every write is one transaction and happens only while the lock
 * names the turn, the instance and the epoch that the turn was started with. Otherwise it returns false, and the turn
 * must end without showing anything more.
 */
export interface TurnStore {
  /** The flag that asks this turn to end, or null. */
  stopFlag(): StopFlag | null;
  conversation(): Conversation;
  /** The stored answers of the current model, oldest first, with the results of their calls. */
  rounds(): StoredRound[];
  /** What the runtime reads before a call that changes something, and where it writes the result. */
  readonly ledger: Ledger;
  /** People's decisions about the turn's dangerous call. */
  readonly approvals: Approvals;
  /** The call that needs a person's approval, as the runtime noted it; null when there is none. */
  asked(): AskedCall | null;
  enrichment(): Enrichment;
  /** Discord's message ids by handle; empty until handles were revealed. */
  messageIds(): ReadonlyMap<string, string>;
  /** The index of the model that answers. */
  modelIndex(): number;
  /** Falls back to another model. The last one's answers leave the conversation; its results stay in the ledger. `usage`: of the failed step. */
  fallbackBegun(modelIndex: number, usage: TokenUsage | null): boolean;
  /**
   * Stores that a model call begins, and takes in the messages that are to join the turn. `prepare` runs after that, in the same write: it
   * returns what is stored of the call. `mayWarn`: from step SOFT_WARN_ITERATION_THRESHOLD on, the person may be
   * warned that the turn takes long.
   */
  modelCallStarted(iteration: number, mayWarn: boolean, prepare: () => BegunCall): boolean;
  /** The worst that the turn's requests contained so far. */
  taint(): Taint;
  /** The addresses that the turn's person gave in words, also in those that joined the turn; in their normal form. */
  givenAddresses(): readonly string[];
  /** How many calls the turn's answers have made, over all models and lives, with those of the newest answer. */
  toolCalls(): number;
  /** The newest reasoning of the current model that is stored; empty without any. */
  thoughts(): string;
  /** Counts an answer without words or calls, which costs tokens all the same. */
  modelSaidNothing(usage: TokenUsage | null, thoughts: string): boolean;
  /**
   * Stores an answer that calls tools, and the newest reasoning; returns the calls that may run, with their positions. The
   * rest is past the limit and answered as refused. Null: another life owns the turn.
   */
  modelAnswered(answer: ModelAnswer, thoughts: string): NumberedCall[] | null;
  /** Stores in one write that read-only calls begin, at least one. The ledger launches calls that change something. */
  readsLaunched(calls: readonly NumberedCall[], at: number, deadlineAt: number): boolean;
  /** Stores what the question's sounds say and have cost. */
  soundsHeard(heard: readonly HeardSound[], microUsd: number): boolean;
  /** A call that enriched the context: it is removed from its answer, and its tool is withdrawn for the rest of the turn. */
  callWithdrawn(call: NumberedCall, restart: ContextRestart): boolean;
  /** Stores the call's result and its files, whatever its source. A result that the ledger has stored is not written again. */
  toolSettled(call: NumberedCall, result: ToolResult): boolean;
  /** The iteration that the last life had reached, to resume from. */
  iteration(): number;
  /** Adds a timeline entry, which waits for the next write. */
  note(what: string, detail: string, more?: Pick<TurnEvent, "forModerators" | "call">): void;
}

/** What is stored when a model call begins: what it counts as if this life ends before its answer is stored, and what it reads. */
export interface BegunCall {
  ifCut: TokenUsage;
  taint: Taint;
  call: ModelCallNote;
}

/** What a context restart leaves behind. `item` comes last in the conversation from then on. */
export interface ContextRestart {
  toolName: string;
  item: EnrichmentItem | null;
  metadata: boolean;
}

/** One answer of a model, for the transcript and the timeline. */
export interface ModelAnswer {
  text: string;
  details: string;
  native: NativeParts | null;
  calls: ToolCall[];
  /** Attached to the reply, and not part of the conversation. */
  files?: readonly MadeFile[];
  usage: TokenUsage | null;
  model: string;
  /** From the request to the answer's end, with the waits between retries. */
  durationMs: number;
  /** For the inspector. */
  call?: ModelCallNote;
}

/** Why a tool is offered in a turn that offers only what was asked for. */
export interface TriggerMatch {
  phrase: string;
  /** `built-in`, `custom` or `follow-up`. */
  source: string;
}

/** The gate's verdict on a call; the model reads a refusal's payload. */
export type GateVerdict =
  | { allowed: true; trigger?: TriggerMatch }
  | { allowed: false; payload: Record<string, unknown> };

/** Asked right before a tool is launched, also for calls that were never offered. */
export interface Gate {
  decide(toolName: string): GateVerdict;
}

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Timers that can be canceled; a pending one keeps a billed object in memory. */
export interface Timers {
  /** Calls back once after `ms`, unless the returned function is called first. */
  after(ms: number, callback: () => void): () => void;
}

/** Structured log lines. Never given a secret; never throws. */
export interface Log {
  info(line: string, detail?: Record<string, unknown>): void;
  warn(line: string, detail?: Record<string, unknown>): void;
  error(line: string, detail?: Record<string, unknown>): void;
}

/** Why a running turn must end; the reason of its AbortSignal. */
export type TurnAbort =
  | { kind: "flagged" }
  | { kind: "deadline" }
  /** The person deleted the reply, or the bot lost access: there is no one left to answer. */
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

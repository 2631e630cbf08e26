// What a turn needs from outside. The turn owns these interfaces. Each says whether it may throw and whether it may run twice; none
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

/** The beginning of a text file; `bytes` is how many were read. `not_text`: it contains bytes that do not occur in text. */
export type ReadText = { ok: true; text: string; bytes: number } | { ok: false; reason: "not_text" | "unreachable" };

/** Reads the files of a question. Neither method throws; both may run again. */
export interface AttachmentReader {
  /** Returns an address from which a model's provider can fetch the picture; null when it is not one of Discord's. */
  imageUrl(attachment: Attachment): string | null;
  /** Reads the first `maxBytes` of a file. When the signal fires, ends early with `unreachable`. */
  readText(attachment: Attachment, maxBytes: number, signal: AbortSignal): Promise<ReadText>;
}

/** What the person sees while a turn runs: the answer so far and a status line below it. */
export interface ReplyView {
  text: string;
  line: string | null;
  /** The minimum time since the last edit, if the usual pace would update too often. */
  gapMs?: number;
  /** The view asks for a person's approval and shows the buttons for it. */
  asks?: true;
  /** `file`: shown with the line, as long as this view is shown. `files`: what tools and models made, sent with the last view. */
  file?: { name: string; text: string };
  files?: readonly MadeFile[];
}

/** The reply in Discord while the turn runs. Updates are paced and the newest text wins, so it may be called for every piece of text. */
export interface Reply {
  /** Shows the newest view soon; returns at once, never throws. */
  show(view: ReplyView): void;
  /** Returns the text, without its line, that Discord has accepted, or that it may already show although it has not answered yet. */
  postedText(): string;
  /** Calls the listener after each request that Discord accepted; null removes it. */
  onAccepted(listener: (() => void) | null): void;
}

/** One call of a stored answer, with its position. The position makes it unique, because models repeat ids. */
export interface NumberedCall {
  messageSeq: number;
  position: number;
  call: ToolCall;
  /** An earlier life launched it: if it has no result, its outcome is unknown. */
  wasLaunched?: boolean;
}

/** A stored answer. A withdrawn call is null; a result is null until it exists. */
export interface StoredRound {
  text: string;
  details: string;
  calls: ({ placed: NumberedCall; result: ToolResult | null } | null)[];
}

/** The messages of earlier turns and of the turn itself, and a summary of everything before them. */
export interface Conversation {
  earlier: Message[];
  current: Message[];
  /** Allows the window to begin at the same message for many turns. */
  numberOf?: NumberOf;
  /** Missing or empty: nothing was summarized. */
  summary?: string;
  /** Some of the summarized turns had read strangers' words. */
  isSummaryTainted?: boolean;
}

/**
 * The turn's part of the channel's storage. Synchronous. Every write is one transaction and happens only while the lock names the turn, the
 * instance and the epoch with which the turn was started. Otherwise it returns false, and the turn must end without showing anything more.
 */
export interface TurnStore {
  /** The flag that asks this turn to end, or null. */
  stopFlag(): StopFlag | null;
  conversation(): Conversation;
  /** The stored answers of the current model, oldest first, with the results of their calls. */
  rounds(): StoredRound[];
  /** The runtime reads it before a call that changes something, and writes the result to it. */
  readonly ledger: Ledger;
  /** People's decisions about the turn's dangerous call. */
  readonly approvals: Approvals;
  /** The call that needs a person's approval, as the runtime noted it; null if none does. */
  asked(): AskedCall | null;
  enrichment(): Enrichment;
  /** Discord's message ids by handle; empty until handles are revealed. */
  messageIds(): ReadonlyMap<string, string>;
  /** The index of the model that answers. */
  modelIndex(): number;
  /**
   * Falls back to another model. The previous model's answers leave the conversation; its results stay in the ledger. `usage`: of the failed
   * step.
   */
  fallbackBegun(modelIndex: number, usage: TokenUsage | null): boolean;
  /**
   * Stores that a model call begins, and takes in the messages that join the turn. `prepare` runs after that, in the same write; it returns what
   * is stored about the call. `mayWarn`: from step SOFT_WARN_ITERATION_THRESHOLD on, the person may be warned that the turn is taking long.
   */
  modelCallStarted(iteration: number, mayWarn: boolean, prepare: () => BegunCall): boolean;
  /** The highest taint that the turn's requests have had so far. */
  taint(): Taint;
  /** The addresses that the turn's person wrote, including in messages that joined the turn; normalized. */
  givenAddresses(): readonly string[];
  /** The number of calls that the turn's answers have made, over all models and lives, including those of the newest answer. */
  toolCalls(): number;
  /** The newest stored reasoning of the current model; empty if there is none. */
  thoughts(): string;
  /** Counts an answer without text or calls, which costs tokens all the same. */
  modelSaidNothing(usage: TokenUsage | null, thoughts: string): boolean;
  /**
   * Stores an answer that calls tools, and the newest reasoning. Returns the calls that may run, with their positions; the others exceed the
   * limit and are answered as refused. Null: another life owns the turn.
   */
  modelAnswered(answer: ModelAnswer, thoughts: string): NumberedCall[] | null;
  /** Stores in one write that one or more read-only calls begin. Calls that change something are launched by the ledger. */
  readsLaunched(calls: readonly NumberedCall[], at: number, deadlineAt: number): boolean;
  /** Stores what was transcribed from the question's sounds, and what that cost. */
  soundsHeard(heard: readonly HeardSound[], microUsd: number): boolean;
  /** Removes a call that enriched the context from its answer, and withdraws its tool for the rest of the turn. */
  callWithdrawn(call: NumberedCall, restart: ContextRestart): boolean;
  /** Stores the call's result and its files, wherever they come from. A result that the ledger has already stored is not written again. */
  toolSettled(call: NumberedCall, result: ToolResult): boolean;
  /** Returns the iteration that the last life had reached, to resume from. */
  iteration(): number;
  /** Adds a timeline entry, which is stored with the next write. */
  note(what: string, detail: string, more?: Pick<TurnEvent, "forModerators" | "call">): void;
}

/** What is stored when a model call begins: what it counts as if this life ends before its answer is stored, and the taint of what it reads. */
export interface BegunCall {
  ifCut: TokenUsage;
  taint: Taint;
  call: ModelCallNote;
}

/** What a context restart adds. From then on, `item` is the last message of the conversation. */
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
  /** Attached to the reply; not part of the conversation. */
  files?: readonly MadeFile[];
  usage: TokenUsage | null;
  model: string;
  /** From sending the request to the end of the answer, including the waits between retries. */
  durationMs: number;
  /** For the inspector. */
  call?: ModelCallNote;
}

/** Why a tool is offered in a turn that offers only the tools that were asked for. */
export interface TriggerMatch {
  phrase: string;
  /** `built-in`, `custom` or `follow-up`. */
  source: string;
}

/** The gate's verdict on a call. If it refuses, the model reads the payload. */
export type GateVerdict =
  | { allowed: true; trigger?: TriggerMatch }
  | { allowed: false; payload: Record<string, unknown> };

/** Consulted right before a tool is launched, even for calls that were never offered. */
export interface Gate {
  decide(toolName: string): GateVerdict;
}

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Timers that can be canceled. A pending one keeps a billed object in memory. */
export interface Timers {
  /** Calls back once after `ms`, unless the returned function is called first. */
  after(ms: number, callback: () => void): () => void;
}

/** Structured log lines. Must never get a secret; never throws. */
export interface Log {
  info(line: string, detail?: Record<string, unknown>): void;
  warn(line: string, detail?: Record<string, unknown>): void;
  error(line: string, detail?: Record<string, unknown>): void;
}

/** Why a running turn must end; the reason of its AbortSignal. */
export type TurnAbort =
  | { kind: "flagged" }
  | { kind: "deadline" }
  /** The person deleted the reply, or the bot lost access, so nobody can read an answer. */
  | { kind: "gone" }
  /** Another life of the object owns the turn. */
  | { kind: "superseded" };

/** Limits of one turn, from the configuration; times in milliseconds. */
export interface TurnLimits {
  maxIterations: number;
  maxConsecutiveToolErrors: number;
  firstTokenTimeoutMs: number;
  streamTimeoutMs: number;
  toolTimeoutMs: number;
}

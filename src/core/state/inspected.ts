// What the inspector shows of a channel and of a turn, as plain data. It goes from the object to the Worker's pages, to JSON and to the trace
// exporter. Nothing here is a secret, and all words of a private turn are null. Times are epoch milliseconds, durations milliseconds.
import type { TokenUsage, TurnUsage } from "../money/usage.ts";
import type { TurnState, TurnStatus } from "./record.ts";
import type { TurnEvent } from "./turn-events.ts";

/** The statuses of a turn that failed. */
export const FAILED_STATUSES: readonly TurnStatus[] = ["error", "timeout", "empty_response"];

/** Discord's names of servers and channels, by their ids. A missing one is unknown. */
export type PlaceNames = Readonly<Record<string, string>>;

/** A span of time. `ms` is null while it lasts. */
export interface Span {
  at: number;
  ms: number | null;
}

/** Why a model call was tried again, and how long it waited before. */
export interface ModelRetry {
  at: number;
  waitMs: number;
  reason: string;
}

/** How a model call ended; the last four mean that there is no answer. */
export type ModelOutcome = "answered" | "called_tools" | "empty" | "failed" | "timed_out" | "stopped" | "cut_off";

/** What one request to a model contained. Rows are stored messages by their `seq`; what was read but isn't stored is only counted. */
export interface RequestContents {
  /** The oldest stored row of the history. Without history: the turn's own row after its question if older ones are left out, else null. */
  fromSeq: number | null;
  /** Older messages that the window left out, including the turn's own, as far as they were looked at. */
  leftOutRows: number;
  hasSummary: boolean;
  notesChars: number;
  overheardLines: number;
  tools: number;
  estimatedTokens: number;
}

/**
 * One model call, with its retries. It is stored with its answer, or without one in the timeline. `reason`: why it failed, by its name in
 * `FAILURE_POLICY`. `firstMs`: from `at` to the first word, thought or call; null: nothing came.
 */
export interface ModelCallNote extends Span {
  model: string;
  firstMs: number | null;
  outcome: ModelOutcome | null;
  reason?: string;
  usage: TokenUsage | null;
  /** Missing: none. */
  retries?: readonly ModelRetry[];
  contents: RequestContents | null;
}

/** A model call with the stored row of its answer; null: none was stored. */
export interface InspectedModelCall extends ModelCallNote {
  seq: number | null;
}

/** One run of a tool that failed and was tried again. */
export interface ToolRetry {
  error: string;
  /** How long the run took, and the wait after it. */
  ms: number;
  waitMs: number;
}

/** One tool call. */
export interface InspectedToolCall extends Span {
  tool: string;
  status: string | null;
  attempts: number;
  isCached: boolean;
  retries: readonly ToolRetry[];
  /** JSON text; null in a private turn. */
  arguments: string | null;
  result: string | null;
  argumentBytes: number;
  resultBytes: number;
  messageSeq: number;
  position: number;
}

/** What was sent to Discord for the reply. */
export interface InspectedRequest extends Span {
  method: "create" | "edit" | "delete" | "read";
  /** Discord's status; null: no answer came. */
  status: number | null;
  /** How long it first waited for one of Discord's rate limits. */
  waitMs: number;
}

/** The requests of a reply as they are stored. A turn keeps the first and the newest; `leftOut` is how many in between were dropped. */
export interface RequestsToDiscord {
  kept: readonly InspectedRequest[];
  leftOut: number;
}

/** A time in which the turn waited. */
export interface InspectedWait extends Span {
  kind: "queue" | "approval";
}

/** A stored message of the conversation. */
export interface InspectedRow {
  seq: number;
  turnId: string;
  role: "user" | "assistant";
  /** The speaker's name; null: the bot, or not known. */
  speaker: string | null;
  /** Null in a private turn. */
  text: string | null;
  chars: number;
  /** Names of the tools that it calls. */
  calls: readonly string[];
}

/** One turn in a list. */
export interface InspectedTurnLine {
  turnId: string;
  channelId: string;
  guildId: string | null;
  userId: string;
  /** Null in a private turn, and so is the beginning of its question. */
  userName: string | null;
  question: string | null;
  isPrivate: boolean;
  isReminder: boolean;
  state: TurnState;
  status: TurnStatus | null;
  /** The name of the reason if it failed. */
  reason: string | null;
  model: string | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  usage: TurnUsage;
  toolCalls: number;
  takeovers: number;
}

/** A whole turn. */
export interface InspectedTurn extends InspectedTurnLine {
  /** The object's clock, for spans that still last. */
  now: number;
  /** When Discord had the whole answer; null: not yet, or never. */
  deliveredAt: number | null;
  isTainted: boolean;
  waits: readonly InspectedWait[];
  modelCalls: readonly InspectedModelCall[];
  toolCallList: readonly InspectedToolCall[];
  requests: readonly InspectedRequest[];
  /** How many requests to Discord are no longer listed, because a turn keeps the first and the newest. */
  requestsLeftOut: number;
  events: readonly TurnEvent[];
  /** The history at the beginning of its last request, then the turn's own rows; empty in a private turn and once it is forgotten. */
  rows: readonly InspectedRow[];
  thoughts: string | null;
  /** The messages of its reply, in order. */
  messages: readonly { id: string | null; isSent: boolean }[];
}

/** Which turns to list; null: all. */
export interface TurnFilter {
  userId: string | null;
  status: TurnStatus | "running" | null;
}

/** A page of a channel's turns, newest first. */
export interface InspectedTurns {
  turns: readonly InspectedTurnLine[];
  /** The cursor of the next page; null: this is the last one. */
  before: number | null;
}

/** A setting that applies here. */
export interface InspectedSetting {
  key: string;
  value: string;
  /** Where it comes from, in words. */
  source: string;
}

/** What is known of a channel besides its turns. */
export interface InspectedChannel {
  now: number;
  channelId: string;
  /** The thread's parent; null: none, or not known. */
  parentId: string | null;
  guildId: string | null;
  running: InspectedTurnLine | null;
  queued: number;
  parked: number;
  settings: readonly InspectedSetting[];
  /** Pending reminders and recurring tasks, without anybody's words. A paused one doesn't fire, although it has a time. */
  reminders: readonly { number: number; userId: string; dueAt: number; isRecurring: boolean; isPaused: boolean }[];
  memories: number;
  summarizedMessages: number;
}

/** What a channel does now and what failed in the last day, for the home page. */
export interface ChannelPulse {
  channelId: string;
  guildId: string | null;
  running: InspectedTurnLine | null;
  queued: number;
  lastTurnAt: number | null;
  /** Threads opened for the newest questions here, which may not have reported anything yet. */
  newThreads: readonly string[];
  /** Failures of the last 24 hours, by the name of their reason. */
  failures: readonly { reason: string; count: number }[];
}

/** What the inspector asks a channel's object; each kind has its own answer. `watch`: a turn, or with null the channel. */
export type InspectQuestion =
  | { kind: "pulse" }
  | { kind: "channel" }
  | { kind: "turns"; filter: TurnFilter; before: number | null }
  | { kind: "turn"; turnId: string }
  | { kind: "watch"; turnId: string | null };

/**
 * The answers to the first four, in their order; null: the turn doesn't exist. `watch` is answered by a stream of server-sent events:
 * `data: changed`, and at the end `data: ended`.
 */
export type InspectAnswer = ChannelPulse | InspectedChannel | InspectedTurns | InspectedTurn | null;

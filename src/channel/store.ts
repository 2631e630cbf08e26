// The port of a channel's storage: turns, the lock, the transcript and the ledger of tool calls. Everything is synchronous on
// purpose: between loading and saving nothing else can happen in the object.
import type { ChannelState, Lock, TurnRecord } from "../core/state/record.ts";
import type { NativeParts, ToolCall } from "../core/transcript/transcript.ts";
import type { StoredSettings } from "./settings.ts";

/** One stored message. `seq` grows; a turn's messages are in its order. */
export interface StoredMessage {
  seq: number;
  turnId: string;
  role: "user" | "assistant";
  text: string;
  /** What the model said in details: kept for later turns, never shown. */
  details: string;
  /** Null stands where a call was withdrawn: the places of the others stay. */
  calls: (ToolCall | null)[];
  native: NativeParts | null;
}

/** One tool call in the ledger, known by the message that made it and its position there. `result` is JSON text. */
export interface LedgerRow {
  messageSeq: number;
  position: number;
  turnId: string;
  tool: string;
  /** The arguments in canonical form: what makes two calls the same. */
  args: string;
  /** Which of the turn's attempts made the call. */
  modelIndex: number;
  instance: string;
  result: string | null;
  /** The tool's own name of the effect; null where the call's place is its name. */
  key: string | null;
}

/** How much finished work is kept; older rows are pruned. */
export interface Retention {
  turns: number;
  messages: number;
}

/** Storage of one channel. One contract suite runs over the SQLite and the in-memory one. */
export interface ChannelStore {
  /** All or nothing: if `work` throws, nothing of it is kept. Not nested. */
  transaction<Result>(work: () => Result): Result;
  /** The lock, and every turn that is not over. */
  state(): ChannelState;
  lock(): Lock;
  turn(id: string): TurnRecord | null;
  /** The same for a look between two writes: the record as this life of the object last read or wrote it. */
  recall(id: string): TurnRecord | null;
  /** The newest turns that were not refused, newest first. */
  recentTurns(limit: number): TurnRecord[];
  /** Waiting turns that are to be handed to this running one, in their order. */
  steering(turnId: string): TurnRecord[];
  insertTurn(turn: TurnRecord): void;
  saveTurn(turn: TurnRecord): void;
  saveLock(lock: Lock): void;
  /** Answers the new message's `seq`. */
  addMessage(message: Omit<StoredMessage, "seq">): number;
  /** In their order, as this life of the object last read or wrote them; so are those of earlier turns, and settings. */
  messagesInTurn(turnId: string): StoredMessage[];
  /** The newest messages of turns that have ended, other than this one, oldest first. */
  messagesBefore(turnId: string, rows: number): StoredMessage[];
  ledgerRow(messageSeq: number, position: number): LedgerRow | null;
  /** The newest row of an effect that its tool has named, whichever turn it is of. */
  ledgerRowByKey(key: string): LedgerRow | null;
  /** Rows of one message, by position. */
  ledgerRowsFor(messageSeq: number): LedgerRow[];
  putLedgerRow(row: LedgerRow): void;
  /** What a turn's calls of this tool with these arguments came to, oldest first, and in which attempt. JSON text. */
  resultsFor(turnId: string, tool: string, args: string): { modelIndex: number; result: string }[];
  /** Replaces the calls of a message. */
  saveCalls(seq: number, calls: StoredMessage["calls"]): void;
  /** Takes an attempt's answers out of the transcript; its results stay in the ledger. */
  dropAnswers(turnId: string): void;
  /** How many calls of a turn have a result. */
  settledCalls(turnId: string): number;
  /** How many calls of a turn have succeeded, by tool. */
  succeededCalls(turnId: string): Readonly<Record<string, number>>;
  settings(): StoredSettings;
  /** Null clears the key. */
  putSetting(key: string, value: string | null): void;
  /** What was last heard of the settings of the channel that this thread belongs to. */
  parentSettings(): StoredSettings;
  saveParentSettings(settings: StoredSettings): void;
  /** The answer that a control interaction got, so that its repetition gets the same. JSON text. */
  storedAnswer(interactionId: string): string | null;
  putAnswer(interactionId: string, answer: string): void;
  /** Rows that are stored, cheaply and roughly: finished turns and messages. */
  sizes(): Retention;
  /** Forgets every message of turns that are over; answers how many. */
  forgetTranscript(): number;
  /** Deletes at most `batch` rows beyond the retention, oldest first, never of a turn that is not over; answers how many. */
  prune(retention: Retention, batch: number): number;
}

// The port of a channel's storage: turns, the lock, the transcript and the ledger of tool calls. Everything is
// synchronous on purpose: nothing else can run in the object between loading and saving.

import type { TurnReport } from "../core/money/report.ts";
import type { ModelCallNote } from "../core/state/inspected.ts";
import type { Viewer } from "../core/state/private-turns.ts";
import type { ChannelState, Lock, TurnRecord } from "../core/state/record.ts";
import type { FileNote, MadeFile } from "../core/state/reply-files.ts";
import type { ScopeNote } from "../core/state/rpc.ts";
import type { TurnRequest } from "../core/state/turn-request.ts";
import type { Summary } from "../core/transcript/compaction.ts";
import type { MessageSpeaker } from "../core/transcript/speaker.ts";
import type { NativeParts, ToolCall } from "../core/transcript/transcript.ts";
import type { StoredSettings } from "./settings.ts";

/** One stored message. `seq` only grows, and gives the order of a turn's messages. */
export interface StoredMessage {
  seq: number;
  turnId: string;
  role: "user" | "assistant";
  text: string;
  /** The model's <details>: kept for later turns, never shown. */
  details: string;
  /** Null replaces a withdrawn call, so that the others keep their positions. */
  calls: (ToolCall | null)[];
  native: NativeParts | null;
  /** Who asked a question. Missing in answers, in our own notes, and in rows of an older program, whose text begins with `Name: `. */
  speaker?: MessageSpeaker;
  /** How the model call went that produced this. Missing in questions, and in rows of an older program. */
  call?: ModelCallNote;
}

/** One tool call in the ledger, identified by its message and its position there. `result` is JSON text. */
export interface LedgerRow {
  messageSeq: number;
  position: number;
  turnId: string;
  tool: string;
  /** The arguments in canonical form: equal texts mean equal calls. */
  args: string;
  /** The index of the model that made the call. */
  modelIndex: number;
  instance: string;
  result: string | null;
  /** The tool's own name for the effect; null if the call's position identifies it. */
  key: string | null;
}

/** The part of a turn's request that later turns need to read its messages. */
export type AskedWith = Pick<TurnRequest, "taint" | "quoted" | "joinedQuotes" | "heard" | "persona">;

/** How many rows there are. */
export interface Sizes {
  turns: number;
  messages: number;
}

/**
 * How much finished work is kept; older rows are pruned. Refused questions, and turns of tasks and reminders that nobody was notified of, are
 * counted separately, so that they don't push other turns out.
 */
export interface Retention extends Sizes {
  refused: number;
}

/**
 * The storage of one channel. One contract suite tests both the SQLite and the in-memory store. Methods throw only when
 * the storage itself fails, and `RowTooLarge` instead of writing a row of more than 1 MiB.
 */
export interface ChannelStore {
  /** Commits all of `work` or nothing: if it throws, none of its writes is kept. Must not be nested. */
  transaction<Result>(work: () => Result): Result;
  /** The lock, and every unfinished turn. */
  state(): ChannelState;
  lock(): Lock;
  /** A turn as it is stored; null if there is none. */
  turn(id: string): TurnRecord | null;
  /** The turn's record as this life of the object last read or wrote it. For reading between two writes; may be cached. */
  recall(id: string): TurnRecord | null;
  /** What later turns need of a turn's request, also from the cache: the transcript reads it for each of its messages. */
  recallAsked(id: string): AskedWith | null;
  /** The newest turns that were not refused and that this viewer may read, newest first. */
  recentTurns(limit: number, viewer: Viewer): TurnRecord[];
  /**
   * When this person asked after `since`, newest first. Refused questions, questions that join a running turn, and reminders do
   * not count.
   */
  askedSince(userId: string, since: number): number[];
  /** The waiting turns that will join this running one, in their order. */
  steering(turnId: string): TurnRecord[];
  insertTurn(turn: TurnRecord): void;
  saveTurn(turn: TurnRecord): void;
  saveLock(lock: Lock): void;
  /** Returns the new message's `seq`. */
  addMessage(message: Omit<StoredMessage, "seq">): number;
  /**
   * Returns the person's number in this channel, from 1, and stores it the first time. No number is given twice, even after people were forgotten.
   */
  numberSpeaker(userId: string): number;
  /**
   * A turn's messages in their order, as this life of the object last read or wrote them. Like earlier turns and settings, they may be
   * cached.
   */
  messagesInTurn(turnId: string): StoredMessage[];
  /**
   * The newest messages of ended turns other than this one, oldest first: of the channel's transcript, or with `privateTo` of that
   * person's own.
   */
  messagesBefore(turnId: string, rows: number, privateTo: string | null): StoredMessage[];
  /** The summary of the older part of the channel's transcript; null if there is none. */
  summary(): Summary | null;
  /** Replaces the summary. */
  saveSummary(summary: Summary): void;
  ledgerRow(messageSeq: number, position: number): LedgerRow | null;
  /** The newest row, from any turn, of an effect that its tool has named. */
  ledgerRowByKey(key: string): LedgerRow | null;
  /** The rows of one message, by position. */
  ledgerRowsFor(messageSeq: number): LedgerRow[];
  putLedgerRow(row: LedgerRow): void;
  /**
   * The results of a turn's calls of this tool with these arguments, oldest first, with the model that made each call. JSON
   * text; null if the call was launched and its result is not known.
   */
  resultsFor(turnId: string, tool: string, args: string): Pick<LedgerRow, "modelIndex" | "result">[];
  /** Replaces the calls of a message. */
  saveCalls(seq: number, calls: StoredMessage["calls"]): void;
  /** Removes the turn's answers from the transcript, for a fallback; their results stay in the ledger. */
  dropAnswers(turnId: string): void;
  /** How many calls of a turn have a result. */
  settledCalls(turnId: string): number;
  /** How many calls of a turn have succeeded, by tool. */
  succeededCalls(turnId: string): Readonly<Record<string, number>>;
  /** Keeps a file for a turn's reply, in pieces, because a row has a size limit. A note without data says that the file was left out. */
  addFile(turnId: string, file: FileNote, data: Uint8Array | null): void;
  /** The files that a turn's reply has or would have had, in the order in which they were made. */
  fileNotes(turnId: string): FileNote[];
  /** The files of a turn's reply that were not left out. */
  files(turnId: string): MadeFile[];
  dropFiles(turnId: string): void;
  settings(): StoredSettings;
  /** Null clears the key. */
  putSetting(key: string, value: string | null): void;
  /** The settings of this thread's parent, as last reported. */
  parentSettings(): StoredSettings;
  saveParentSettings(settings: StoredSettings): void;
  /** The answer that a control interaction got, so that a repetition gets the same one. JSON text. */
  storedAnswer(interactionId: string): string | null;
  /** Keeps the first answer to an interaction. Answers to the oldest interactions are deleted when there are too many. */
  putAnswer(interactionId: string, answer: string): void;
  /** Counts all stored turns and messages. */
  sizes(): Sizes;
  /** Deletes every message of ended turns, the words in their records, and the summary. Returns how many messages. */
  forgetTranscript(): number;
  /** Deletes the messages of one ended turn, the results of its tools, its files, and a summary that includes them. Its record stays. */
  forgetTurn(turnId: string): void;
  /**
   * Deletes this person's turns that have ended, with their messages, a summary that includes their words, and their name in other people's turns.
   * Returns how many messages.
   */
  forgetPerson(userId: string): number;
  /** The last note of this channel's scope; null before the first one. */
  scopeNote(): ScopeNote | null;
  saveScopeNote(note: ScopeNote): void;
  /** Whether there are reports that the scope has not taken yet. */
  hasReports(): boolean;
  reports(limit: number): TurnReport[];
  /** Stores a report. If the turn already has one, that one stays. */
  putReport(report: TurnReport): void;
  dropReport(turnId: string): void;
  /** Whether the database had turns when it was upgraded to the version that checks who may use the bot. */
  wasUsedBefore(): boolean;
  /** When the oldest stored turn was created; null if there is none. Reads all turns, so it is for rare use. */
  oldestTurn(): number | null;
  /**
   * Deletes at most `batch` turns that have ended and were created at this time or before, with their messages. Also deletes a summary that is as
   * old, or that is all that is left. Returns how many turns, and at least `batch` while more is left.
   */
  expire(before: number, batch: number): number;
  /** Deletes at most `batch` rows beyond the retention, oldest first, never of an unfinished turn. Returns how many. */
  prune(retention: Retention, batch: number): number;
}

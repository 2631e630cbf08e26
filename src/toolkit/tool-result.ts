// The result of a call, as the model, the history and the ledger get it.

/** How a call ended. The model reads `error`, programs read `status`. */
export type ToolStatus =
  | "ok"
  /** There is no tool with that name. */
  | "not_found"
  /** The arguments are not a JSON object or don't fit the schema. Nothing ran. */
  | "invalid_input"
  /** The arguments were cut off in transit. Nothing ran. */
  | "truncated_input"
  /** Something that the tool needs is missing, or a person refused. */
  | "denied"
  /** A person must approve first. The turn can be parked until then. */
  | "needs_approval"
  /** Not allowed in this turn: by its category, the loop detector or the turn's gate. */
  | "blocked"
  /** The same effect is already in progress, or its key belongs to another call. */
  | "conflict"
  /** An earlier life launched it and died. Whether it took effect is unknown. */
  | "interrupted"
  | "timeout"
  | "aborted"
  /** The tool reported an error or threw. */
  | "error"
  /** The tool's answer is not a valid result. */
  | "invalid_result";

/** A run that was followed by another one: how long it took, and how long the wait after it was. Milliseconds. */
export interface FailedRun {
  error: string;
  ms: number;
  waitMs: number;
}

/** How a result came about. */
export interface CallMeta {
  /** The caller's id, or null if it gave none. */
  callId: string | null;
  /** The tool's own name if one was found, or else the name that was called. */
  tool: string;
  /** Runs of the tool; 0 when the result came from something else. */
  attempts: number;
  retries: number;
  /** Epoch milliseconds; missing in rows of older programs. */
  startedAt?: number;
  durationMs: number;
  cached: boolean;
  /** The runs that failed and were tried again, in order. Missing: none. */
  failedRuns?: readonly FailedRun[];
  /**
   * Something is broken: the tool threw, ran out of time, returned something unreadable or reported a fault. Absent for a failure that is the
   * tool's answer.
   */
  isFault?: true;
  /** What intake repaired, in order. Empty for a well-formed call. */
  repaired: readonly string[];
}

/**
 * A file that a call made for the people who read the answer. `data` is present until the result is stored; the model and the history get the
 * rest. `leftOut`: the reply had no room for it.
 */
export interface ResultFile {
  name: string;
  type: string;
  bytes: number;
  leftOut?: true;
  data?: Uint8Array;
}

/** The result of one call. `data` and `imageMetadata` are JSON-safe copies. */
export interface ToolResult {
  ok: boolean;
  status: ToolStatus;
  data?: unknown;
  error?: string;
  message?: string;
  /** Every problem of the arguments, one line each. */
  issues?: readonly string[];
  warnings?: readonly string[];
  /** The turn ends after this call. */
  endTurn?: boolean;
  imageMetadata?: unknown;
  /** Only a success has files. */
  files?: readonly ResultFile[];
  /** Strangers may have written parts of the result: the fence that surrounds it when the model reads it. */
  untrusted?: string;
  /** The arguments as they were read, if what the model wrote was not JSON. They replace the model's own text and are not stored here. */
  readAs?: string;
  /** Always present on a result of `execute`. Results that a loop makes itself have none. */
  meta?: CallMeta;
}

/** The result of `execute`. */
export type ExecutedResult = ToolResult & { meta: CallMeta };

/** Builds a result that is not a success. */
export const refused = (
  status: Exclude<ToolStatus, "ok">,
  error: string,
  more: Partial<ToolResult> = {},
): ToolResult => ({
  ok: false,
  status,
  error,
  ...more,
});

/** Ends the error of a call that may or may not have taken effect. Without this sentence, models repeat the call. */
export const UNKNOWN_OUTCOME = "; whether it did anything is unknown";

/** Long enough for a sentence; some libraries put whole bodies into a message. */
export const MAX_THROWN_CHARS = 500;

/** Returns the message of anything thrown, never a stack. Says so if what was thrown can't even be turned into text. */
export function errorMessage(thrown: unknown): string {
  return wholeErrorMessage(thrown).slice(0, MAX_THROWN_CHARS).toWellFormed();
}

/** Returns the full message, for callers that must remove secrets before they cut it. */
export function wholeErrorMessage(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message || thrown.name : thrown);
  } catch {
    return "something without a message was thrown";
  }
}

/** The result of a call whose arguments were cut off. */
export const truncatedInput = (): ToolResult =>
  refused("truncated_input", "the arguments were cut off, so nothing ran; call again with smaller arguments");

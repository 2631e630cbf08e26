// The one result of a call, for the model, the history and the ledger.

/** How a call ended. The model reads `error`, programs read `status`. */
export type ToolStatus =
  | "ok"
  /** There is no tool with that name. */
  | "not_found"
  /** The arguments are not a JSON object or don't fit the schema. Nothing ran. */
  | "invalid_input"
  /** The arguments were cut off in transit. Nothing ran. */
  | "truncated_input"
  /** Something that the tool needs is missing, or a person said no. */
  | "denied"
  /** A person must agree first. The turn can be parked on it. */
  | "needs_approval"
  /** Not allowed in this turn, by its category, the loop detector or the turn's gate. */
  | "blocked"
  /** The same effect is already in progress, or its key belongs to another call. */
  | "conflict"
  /** An earlier life launched it and died. We don't know whether it took effect. */
  | "interrupted"
  | "timeout"
  | "aborted"
  /** The tool reported an error or threw. */
  | "error"
  /** The tool's answer is not a valid result. */
  | "invalid_result";

/** A run that was followed by another: how long it took, and the wait after it. Milliseconds. */
export interface FailedRun {
  error: string;
  ms: number;
  waitMs: number;
}

/** How a result came about. */
export interface CallMeta {
  /** The caller's id, or null if it gave none. */
  callId: string | null;
  /** The tool's own name if it was found, else the name that was called. */
  tool: string;
  /** Runs of the tool; 0 when something else answered. */
  attempts: number;
  retries: number;
  /** Epoch milliseconds; missing in a row of an older program. */
  startedAt?: number;
  durationMs: number;
  cached: boolean;
  /** The runs that failed and were tried again, in order. Missing: none. */
  failedRuns?: readonly FailedRun[];
  /** Something is broken: the tool threw, ran out of time, can't be read or said so. Absent for a failure that it answered. */
  isFault?: true;
  /** What intake repaired, in order. Empty for a well-formed call. */
  repaired: readonly string[];
}

/**
 * A file that a call made for the people who read the answer. `data` is there until the result is stored; the model and the history have
 * the rest. `leftOut`: the reply had no room for it.
 */
export interface ResultFile {
  name: string;
  type: string;
  bytes: number;
  leftOut?: true;
  data?: Uint8Array;
}

/** The one result of one call. `data` and `imageMetadata` are JSON-safe copies. */
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
  /** Only a success has some. */
  files?: readonly ResultFile[];
  /** Strangers may have written parts of it: the fence that is around it for the model. */
  untrusted?: string;
  /** The arguments as they were read, where the model wrote no JSON. They take the place of its own and are not stored here. */
  readAs?: string;
  /** Always present on a result of `execute`. A result that a loop makes itself has none. */
  meta?: CallMeta;
}

/** The result of `execute`. */
export type ExecutedResult = ToolResult & { meta: CallMeta };

/** Makes a result that is not a success. */
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

/** Ends the error of a call that may or may not have taken effect: a model that reads less calls again. */
export const UNKNOWN_OUTCOME = "; whether it did anything is unknown";

/** Long enough for a sentence; some libraries put whole bodies into a message. */
export const MAX_THROWN_CHARS = 500;

/** The message of anything thrown, never a stack. If it can't even become text, says so. */
export function errorMessage(thrown: unknown): string {
  return wholeErrorMessage(thrown).slice(0, MAX_THROWN_CHARS).toWellFormed();
}

/** The message in its whole length, for callers that must take secrets out before they cut it. */
export function wholeErrorMessage(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message || thrown.name : thrown);
  } catch {
    return "something was thrown that has no words";
  }
}

/** The result of a call whose arguments were cut off. */
export const truncatedInput = (): ToolResult =>
  refused("truncated_input", "the arguments were cut off, so nothing ran; call again with smaller arguments");

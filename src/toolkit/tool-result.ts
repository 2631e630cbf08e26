// The one result of one call: what the model, the history and the ledger keep of it.

/** How a call ended; the model reads `error`, programs read `status`. */
export type ToolStatus =
  | "ok"
  /** No tool of that name. */
  | "not_found"
  /** The arguments are no JSON object or don't fit the schema; nothing ran. */
  | "invalid_input"
  /** The arguments were cut off on their way; nothing ran. */
  | "truncated_input"
  /** Something the tool needs is missing, or a person said no. */
  | "denied"
  /** A person has to agree first; the turn can be parked on it. */
  | "needs_approval"
  /** Out of place in this turn: its category, the loop detector, or the turn's gate. */
  | "blocked"
  /** The same effect is under way, or its key belongs to another call. */
  | "conflict"
  /** An earlier life launched it and died; whether it took effect is unknown. */
  | "interrupted"
  | "timeout"
  | "aborted"
  /** The tool said so, or threw. */
  | "error"
  /** The tool answered what is no result. */
  | "invalid_result";

/** How a result came about. */
export interface CallMeta {
  /** The caller's id, or null when it gave none. */
  callId: string | null;
  /** The tool's own name where it was found, else the name that was called. */
  tool: string;
  /** Runs of the tool: 0 when something else answered. */
  attempts: number;
  retries: number;
  durationMs: number;
  cached: boolean;
  /** What intake had to mend, in order; empty for a well-formed call. */
  repaired: readonly string[];
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
  /** The turn is over after this call. */
  endTurn?: boolean;
  imageMetadata?: unknown;
  /** Always there on what `execute` answers; a result that a loop makes up itself has none. */
  meta?: CallMeta;
}

/** What `execute` answers. */
export type ExecutedResult = ToolResult & { meta: CallMeta };

/** A result that is no success. */
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

/** Long enough for a sentence; some libraries put whole bodies into a message. */
export const MAX_THROWN_CHARS = 500;

/** The message of whatever was thrown, never a stack. A thing that can't even be turned into text is named as such. */
export function errorMessage(thrown: unknown): string {
  return wholeErrorMessage(thrown).slice(0, MAX_THROWN_CHARS).toWellFormed();
}

/** The same in its whole length, for those who must take secrets out before they cut. */
export function wholeErrorMessage(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message || thrown.name : String(thrown));
  } catch {
    return "something was thrown that has no words";
  }
}

// The ways in which a model call can fail and a turn can end. Expected failures are values: each reason has one policy
// and one sentence, and a new one does not compile until both exist.
import type { NearBudget, SpentBudget } from "./budget.ts";

/** Why a model call failed. `timeout` is our own idle timeout; `aborted` is our own abort and is never shown. */
export type ModelFailureReason =
  | "rate_limited"
  | "overloaded"
  | "refused"
  | "context_too_long"
  | "auth"
  | "network"
  | "bad_stream"
  | "content_blocked"
  | "timeout"
  | "aborted"
  | "unknown";

/** A failed model call. `message` is for logs; it never contains a key. `retryAfterMs` only when the provider sent it. */
export interface ModelFailure {
  reason: ModelFailureReason;
  message: string;
  retryAfterMs?: number;
}

/** How a turn ended, with everything that its last line for the person needs. */
export type Ending = TurnEnd & {
  /** No person asked for this turn, so its failures are not shown. */
  quiet?: true;
  /** Files of the question that the answer could not use. */
  files?: UnusedFiles;
  /** A limit that this turn has nearly used up. */
  near?: NearBudget;
};

/**
 * Names of files: of a kind that no model reads, images for a model without image input, and files that could not be
 * read.
 */
export interface UnusedFiles {
  skipped: string[];
  unseen: string[];
  unread: string[];
}

/** The last four never ran. */
type TurnEnd =
  /**
   * `by`: the model that answered, if it was not the first one. `cut`: the provider ended the answer at its length limit.
   * `wordless`: a tool did everything there was to do.
   */
  | { kind: "completed"; by?: string; cut?: true; wordless?: true }
  | { kind: "stopped"; by: string }
  | { kind: "follow_up" }
  | { kind: "model_failed"; reason: ModelFailureReason }
  | { kind: "model_silent" }
  | { kind: "turn_deadline" }
  | { kind: "iteration_limit" }
  | ({ kind: "budget_spent" } & SpentBudget)
  | { kind: "tool_errors" }
  /** The model made the same call for the sixth time in a row. */
  | { kind: "call_loop"; tool: string }
  | { kind: "empty" }
  | { kind: "interrupted" }
  | { kind: "crashed" }
  /** The person deleted the reply, or the bot lost access: there is nowhere left to answer. */
  | { kind: "gone" }
  | { kind: "cleared"; by: string }
  | { kind: "taken_back"; by: string }
  | { kind: "superseded" }
  | { kind: "steered" };

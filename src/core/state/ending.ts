// The reasons for which a model call or a send can fail. Expected failures are values: each reason has one policy and one
// sentence, and a new one does not compile until both exist.
import type { NearBudget, SpentBudget } from "./budget.ts";

/** Why a model call failed. `timeout` is our own silence limit; `aborted` is our own doing and is never shown. */
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

/** A failed model call. `message` is for logs; it never carries a key. `retryAfterMs` only when the provider named it. */
export interface ModelFailure {
  reason: ModelFailureReason;
  message: string;
  retryAfterMs?: number;
}

/** How a turn ended, with all that its last line to the person needs. */
export type Ending = TurnEnd & {
  /** Nobody asked for this turn, so nobody is told of what went wrong in it. */
  quiet?: true;
  /** Files of the question that the answer could not use. */
  files?: UnusedFiles;
  /** A limit that this turn has brought near. */
  near?: NearBudget;
};

/** Names of files: of a kind that no model reads, pictures for a model without eyes, and those that could not be had. */
export interface UnusedFiles {
  skipped: string[];
  unseen: string[];
  unread: string[];
}

/** The last four never ran. */
type TurnEnd =
  /**
   * `by`: the model that answered when it was not the first one. `cut`: its provider ended the answer at a limit of length.
   * `wordless`: a tool did all there was to do.
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
  /** The person deleted the reply, or the channel is lost: there is nowhere left to say anything. */
  | { kind: "gone" }
  | { kind: "cleared"; by: string }
  | { kind: "taken_back"; by: string }
  | { kind: "superseded" }
  | { kind: "steered" };

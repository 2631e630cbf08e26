// The ways in which a model call can fail and a turn can end. Expected failures are values: each reason has one policy
// and one sentence, and a new one does not compile until both exist.
import type { AccessRefusal } from "../access/judge.ts";
import type { SpentBudget } from "../money/limit.ts";
import type { NearBudget } from "./day-usage.ts";

/**
 * Why a model call failed. `network`: the connection broke; `unreachable`: it was never made (refused, DNS, TLS). `timeout` is our
 * own idle timeout; `aborted` is our own abort and is never shown. `no_tools`: the model or its server doesn't support tools;
 * `bad_call`: the model wrote a call that its provider could not read; another try may go better.
 */
export type ModelFailureReason =
  | "rate_limited"
  | "overloaded"
  | "refused"
  | "context_too_long"
  | "auth"
  | "no_credit"
  | "no_model"
  | "no_tools"
  | "bad_call"
  | "network"
  | "unreachable"
  | "bad_stream"
  | "content_blocked"
  | "timeout"
  | "aborted"
  | "unknown";

/**
 * A failed model call. `message` is for the log and for moderators; it never contains a key. `status` and `code` are the
 * provider's, `retryAfterMs` only when it sent one.
 */
export interface ModelFailure {
  reason: ModelFailureReason;
  message: string;
  status?: number;
  code?: string;
  retryAfterMs?: number;
}

/** What follows a failed call, by its reason. Every failure leads to the next model, if there is one. */
export interface FailurePolicy {
  /** Whether the same model is asked again, as long as it has not said a word. */
  retry: "no" | "after_wait" | "with_less";
  /** If the call fails before its first word, the provider did no work, so the call uses no tokens. */
  isFree: boolean;
}

/** The policy for each reason. */
export const FAILURE_POLICY: Record<ModelFailureReason, FailurePolicy> = {
  rate_limited: { retry: "after_wait", isFree: true },
  overloaded: { retry: "after_wait", isFree: true },
  network: { retry: "after_wait", isFree: true },
  unreachable: { retry: "after_wait", isFree: true },
  context_too_long: { retry: "with_less", isFree: true },
  bad_stream: { retry: "no", isFree: false },
  timeout: { retry: "no", isFree: false },
  refused: { retry: "no", isFree: true },
  unknown: { retry: "no", isFree: false },
  aborted: { retry: "no", isFree: false },
  content_blocked: { retry: "no", isFree: false },
  auth: { retry: "no", isFree: true },
  no_credit: { retry: "no", isFree: true },
  no_model: { retry: "no", isFree: true },
  no_tools: { retry: "no", isFree: true },
  bad_call: { retry: "after_wait", isFree: false },
};

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
 * Names of files that the answer could not use, or not completely: of a kind that no model reads, images for a model without image
 * input, and files that could not be read.
 */
export interface UnusedFiles {
  skipped: string[];
  unseen: string[];
  unread: string[];
  /** Sounds that nothing here can transcribe, and sounds whose transcription failed. Older rows have neither these nor `shortened`. */
  unheard?: string[];
  misheard?: string[];
  /** Text files that were only read in part, from the beginning. */
  shortened?: string[];
}

/** The last four never ran. */
type TurnEnd =
  /**
   * `by`: the model that answered, if not the first one. `cut`: the provider ended the answer at its length limit.
   * `wordless`: a tool did everything there was to do. `silent`: a recurring task has nothing to report, so nothing is posted.
   */
  | { kind: "completed"; by?: string; cut?: true; wordless?: true; silent?: true }
  | { kind: "stopped"; by: string }
  | { kind: "follow_up" }
  /** `resetsAt`: when its provider takes requests again, if it says so. */
  | { kind: "model_failed"; reason: ModelFailureReason; resetsAt?: number }
  | { kind: "model_silent" }
  | { kind: "turn_deadline" }
  | { kind: "iteration_limit" }
  | ({ kind: "budget_spent" } & SpentBudget)
  /** The person may not use the bot here any more, or that can't be checked. `silent`: a reminder or a task, so nobody is notified. */
  | { kind: "access_refused"; refusal: AccessRefusal; silent?: true }
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

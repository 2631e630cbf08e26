// The messages between the Worker and a channel's object. During a deploy a new Worker talks to an old object for some
// minutes (Cloudflare), so a field is only ever added, and a reader takes a missing one as absent.
import type { AffordanceWindow } from "../deliberate/affordance-window.ts";
import type { ToolMatch } from "../deliberate/tool-matches.ts";
import type { CustomTrigger } from "../deliberate/trigger-phrases.ts";
import type { Budgets, SpentBudget } from "./budget.ts";
import type { TurnPhase, TurnRequest } from "./record.ts";
import type { WantedSpeakers } from "./scene.ts";

/** A request for a turn; its interaction's id is the turn's id, by which repeated deliveries are recognized. */
export interface Submission {
  /** The turn's request, under the key that every released version reads. */
  trigger: TurnRequest;
  /** Ids of the asker's roles; an older Worker tells none. */
  roles?: readonly string[];
  /** What is set in the parent of a thread: key → value. */
  parentSettings?: Record<string, string>;
  /** Who is to speak. */
  speakers?: WantedSpeakers;
}

/** A press of Retry, or of Continue behind a limit. The submission's own text counts for nothing. */
export interface AgainRequest {
  turnId: string;
  submission: Submission;
}

/** A press of Continue on a reply whose token nears its end or is over: `messageId` is the message that it stands on. */
export interface ResumeRequest {
  turnId: string;
  press: { applicationId: string; token: string; messageId: string };
}

/** What became of it; `copy/control-answers.ts` has the sentence. */
export type ResumeAnswer = { result: "goes_on" } | { result: "complete" } | { result: "forgotten" };

/** Why a turn was not started; `copy/refusals.ts` has the sentence. */
export type Refusal =
  | { reason: "queue_full"; limit: number }
  | { reason: "user_share_full"; limit: number }
  | { reason: "stop_pending" }
  /** Discord did not let us speak here a while ago; `forMs`: until we try again. */
  | { reason: "no_access"; forMs: number }
  | { reason: "scene_size"; limit: number }
  | { reason: "unknown_persona"; name: string; known: string[] }
  | { reason: "unavailable" }
  /** What was pressed stands below somebody else's answer, was pressed before, or belongs to a turn that is not kept. */
  | { reason: "not_yours" | "asked_again" | "forgotten" }
  /** On a list of those who may not ask, or not on the list of those who may. */
  | { reason: "denied" }
  | { reason: "not_listed" }
  | ({ reason: "budget_spent" } & SpentBudget)
  /** Estimated tokens: of the message, and of what the channel's model reads of one. */
  | { reason: "too_long_for_model"; model: string; tokens: number; limit: number };

/** What `submit` answers. The same interaction always gets the same receipt. */
export type Receipt = { kind: "accepted" } | { kind: "refused"; refusal: Refusal };

/** A request to stop: a button names its turn, a command does not. */
export interface StopRequest {
  interactionId: string;
  kind: "stop" | "kill";
  turnId: string | null;
  userId: string;
  userName: string;
  moderator: boolean;
  /** What is set in the parent of a thread: key → value. */
  parentSettings?: Record<string, string>;
  /** A button's own interaction: the sentence follows through it. A command answers by itself and has none. */
  reply?: { applicationId: string; token: string };
  /** The message that the button stands on. */
  messageId?: string;
}

/** What `/bot status` tells. Times are lengths in milliseconds. */
export interface StatusReport {
  running: {
    userId: string;
    phase: TurnPhase;
    iteration: number;
    maxIterations: number;
    tool: { name: string; forMs: number } | null;
    elapsedMs: number;
    deadlineInMs: number;
    stopping: boolean;
  } | null;
  /** Who waits, in order. */
  queue: string[];
  parked: string[];
  /** What the parked turns wait with, in the same order; an older object tells of none. */
  approvals?: ({ tool: string; expiresInMs: number } | null)[];
  /** For how many more turns deliberate mode keeps which tools offered; an older object tells of none. */
  window?: AffordanceWindow;
}

/** What `/bot usage` tells, of today. A limit of 0 is none. */
export interface UsageReport {
  used: Budgets;
  limits: Budgets;
  resetsAt: number;
}

/** What became of a stop; `copy/control-answers.ts` has the sentence. */
export type StopAnswer =
  | { result: "stopped"; ofUserId: string; what: "running" | "queued" | "parked"; cleared: number }
  | { result: "cleared_queue"; cleared: number }
  | { result: "already_finished" }
  | { result: "nothing_to_stop" }
  | { result: "not_allowed" };

/** A press of Approve or Deny below the request that a turn is parked on. */
export interface ApprovalClick {
  interactionId: string;
  turnId: string;
  approved: boolean;
  userId: string;
  userName: string;
  moderator: boolean;
  /** The press's own interaction: the sentence follows through it, and the reply goes on with its token. */
  press: ResumeRequest["press"];
}

/** What became of a press; `copy/control-answers.ts` has the sentence. */
export type ApprovalAnswer =
  | { result: "approved" | "denied" }
  | { result: "already_decided"; as: "approved" | "denied" | "expired" }
  | { result: "nothing_asked" }
  | { result: "not_allowed" };
/** What a person wants of deliberate tool mode for their own messages. */
export type PersonalMode = "off" | "follow" | "on";

/** A change of the deliberate tool mode of a channel, or of one person in it. */
export type DeliberateChange =
  | { what: "mode"; on: boolean }
  | { what: "context"; turns: number }
  | { what: "add" | "remove"; trigger: CustomTrigger }
  | { what: "me"; userId: string; state: PersonalMode };

/** A use of `/deliberate`. Without a change it only asks. */
export interface DeliberateRequest {
  interactionId: string;
  userId: string;
  change: DeliberateChange | null;
  /** What is set in the parent of a thread: key → value. */
  parentSettings?: Record<string, string>;
}

/** How a channel's deliberate tool mode stands for one person: `on` for the channel, `active` for their messages. */
export interface DeliberateState {
  on: boolean;
  personal: PersonalMode;
  active: boolean;
  turns: number;
  triggers: CustomTrigger[];
}

/** What became of a change, or the rule that it breaks. */
export type DeliberateAnswer = { ok: true; state: DeliberateState } | { ok: false; rule: string };

/** Who asks for the tools: as the request of a turn without words, which decides what is offered. */
export interface ToolsRequest {
  trigger: TurnRequest;
  parentSettings?: Record<string, string>;
}

/** A tool as `/tools list` tells of it. */
export interface ListedTool {
  name: string;
  category: string;
  /** What it needs and there is not; then it is never offered. */
  missing: string[];
  /** Why deliberate mode offers it to a message that does not ask for it; null: it waits for its words. */
  exposed: { trigger: string; source: ToolMatch["source"] } | null;
  /** For how many more triggers its last use keeps it offered. */
  turnsLeft: number;
}

/** What `/tools list` tells. */
export interface ToolsReport {
  active: boolean;
  tools: ListedTool[];
}

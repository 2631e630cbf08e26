// The messages between the Worker and a channel's object. During a deploy a new Worker talks to an old object for some
// minutes (Cloudflare), so fields are only added, never removed, and readers must cope when a field is missing.
import type { ScopeNote } from "../access/scope-copy.ts";
import type { AffordanceWindow } from "../deliberate/affordance-window.ts";
import type { ToolMatch } from "../deliberate/tool-matches.ts";
import type { CustomTrigger } from "../deliberate/trigger-phrases.ts";
import type { SpentBudget } from "../money/limit.ts";
import type { Budgets } from "./day-usage.ts";
import type { Viewer } from "./private-turns.ts";
import type { TurnPhase, TurnRequest } from "./record.ts";
import type { WantedSpeakers } from "./scene.ts";

export type { ScopeNote } from "../access/scope-copy.ts";

/** What applies in the place a request comes from, for the channel to keep. */
export interface PlaceNotes {
  /** The settings of a thread's parent: key → value. */
  parentSettings?: Record<string, string> | undefined;
  /** What this place's scope says; an older Worker sends none. */
  scope?: ScopeNote | undefined;
}

/** A request for a turn. The id of its interaction is also the turn's id, by which repeated deliveries are recognized. */
export interface Submission extends PlaceNotes {
  /** The turn's request, under the key that every released version reads. */
  trigger: TurnRequest;
  /** Ids of the person's roles; an older Worker sends none. */
  roles?: readonly string[];
  /** The personas that should speak. */
  speakers?: WantedSpeakers;
  /** It arrived long after it was asked, so it waits for its own turn. */
  isLate?: true | undefined;
}

/** A click on Retry, on Continue after a limit, or on Regenerate. The text in the submission is ignored. */
export interface AgainRequest {
  turnId: string;
  /** Another answer should replace this one; an older object refuses that. */
  replaces?: true;
  submission: Submission;
}

/** A click on Continue below a reply whose token has ended or ends soon. `messageId` is the message with the button. */
export interface ResumeRequest {
  turnId: string;
  press: { applicationId: string; token: string; messageId: string };
}

/** The result of the click; src/core/copy has the sentence. */
export type ResumeAnswer = { result: "goes_on" } | { result: "complete" } | { result: "forgotten" };

/** A click on Delete. `press` is the click's own interaction, with the message that has the button. */
export interface DeleteRequest extends Viewer {
  interactionId: string;
  turnId: string;
  press: ResumeRequest["press"];
}

/** The result of the click. The object informs the person when the messages are deleted. */
export type DeleteAnswer = { result: "deleted" } | { result: "refused"; refusal: Refusal };

/** Why a turn was not started; src/core/copy has the sentence. */
export type Refusal =
  | { reason: "queue_full" | "user_share_full"; limit: number }
  | { reason: "stop_pending" }
  /** Discord recently refused us access to this channel; `forMs`: the time until we try again. */
  | { reason: "no_access"; forMs: number }
  | { reason: "scene_size"; limit: number }
  | { reason: "unknown_persona"; name: string; known: string[] }
  | { reason: "unavailable" }
  /** The button is below another person's answer, was clicked before, or belongs to a turn that is no longer kept. */
  | { reason: "not_yours" | "asked_again" | "forgotten" }
  /** Regenerate and Delete are for the asker and moderators, and for the newest answer once it is complete. */
  | { reason: "not_theirs" | "not_newest" | "unfinished" }
  /** On the list of denied people, or missing from the list of allowed ones. */
  | { reason: "denied" | "not_listed" }
  | ({ reason: "budget_spent" } & SpentBudget)
  /** `limit`: turns of one person in a minute. `againAt`: epoch milliseconds. */
  | { reason: "too_often"; limit: number; againAt: number }
  /** Estimated tokens of the message, and the most that the channel's model reads of one. */
  | { reason: "too_long_for_model"; model: string; tokens: number; limit: number };

/** The result of `submit`. Repeating an interaction returns the same receipt. `asker`: the person it refuses, if somebody else clicked. */
export type Receipt = { kind: "accepted" } | { kind: "refused"; refusal: Refusal; asker?: string };

/** A stop request: a button names its turn, a command does not. */
export interface StopRequest extends PlaceNotes {
  interactionId: string;
  kind: "stop" | "kill";
  turnId: string | null;
  userId: string;
  userName: string;
  moderator: boolean;
  /** Ids of the person's roles; an older Worker sends none. */
  roles?: readonly string[];
  /** The click's own interaction, through which the answer is sent. A command answers directly and has none. */
  reply?: { applicationId: string; token: string };
  /** The message with the button. */
  messageId?: string;
}

/** What `/bot status` shows. All times are durations in milliseconds. */
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
  /** The people who wait, in order. */
  queue: string[];
  parked: string[];
  /** The approval that each parked turn waits for, in the same order; an older object sends none. */
  approvals?: ({ tool: string; expiresInMs: number } | null)[];
  /** Which tools deliberate mode keeps offered, and for how many more requests; an older object sends none. */
  window?: AffordanceWindow;
  /** How many earlier messages are summarized; an older object sends none. */
  summarized?: number;
  /** The people whose answers Discord has not taken for over a minute. `isMute`: it refuses the bot's token. An older object sends none. */
  unshown?: { userIds: string[]; isMute: boolean };
  /** No message in this channel counts as a question to the bot (`answer_to`). An older object doesn't say. */
  commandsOnly?: boolean;
}

/** What `/bot usage` shows, for today. A limit of 0 means no limit. */
export interface UsageReport {
  used: Budgets;
  limits: Budgets;
  resetsAt: number;
  /** The scope's limits, in micro-dollars per day; 0: no limit. An older object sends none. */
  acrossServer?: { userMicroUsd: number; serverMicroUsd: number };
}

/** The result of a stop; src/core/copy has the sentence. */
export type StopAnswer =
  | { result: "stopped"; ofUserId: string; what: "running" | "queued" | "parked"; cleared: number }
  | { result: "cleared_queue"; cleared: number }
  | { result: "already_finished" }
  | { result: "nothing_to_stop" }
  | { result: "not_allowed" };

/** A click on Approve or Deny below the request of a parked turn. */
export interface ApprovalClick extends PlaceNotes {
  interactionId: string;
  turnId: string;
  approved: boolean;
  userId: string;
  userName: string;
  moderator: boolean;
  /** Ids of the person's roles; an older Worker sends none. */
  roles?: readonly string[];
  /** Whether the person is one of the bot's owners; missing if no one knows who they are. */
  isOwner?: boolean;
  /** The click's own interaction: the answer is sent through it, and the reply continues with its token. */
  press: ResumeRequest["press"];
}

/** The result of a click; src/core/copy has the sentence. */
export type ApprovalAnswer =
  | { result: "approved" | "denied" }
  | { result: "already_decided"; as: "approved" | "denied" | "expired" }
  | { result: "nothing_asked" }
  /** They may deny it but not approve it. `hasApprovers`: there are roles that may. */
  | { result: "moderators_only"; hasApprovers?: boolean }
  | { result: "owners_only" }
  /** The lists of denied people and roles contain them. */
  | { result: "kept_out" }
  | { result: "not_allowed"; hasApprovers?: boolean };

/** A pending reminder. Times are epoch milliseconds. An older object sends neither `every` nor `isPaused`. */
export interface PendingReminder {
  number: number;
  userId: string;
  text: string;
  dueAt: number;
  /** The rule by which it recurs, in words. */
  every?: string;
  /** It has failed too often and does not fire any more. */
  isPaused?: true;
}

/** How much of what was kept about a person was deleted. */
export interface Forgotten {
  messages: number;
  memories: number;
  reminders: number;
}

/** The result of canceling a reminder. */
export type CancelAnswer = "cancelled" | "not_found" | "not_yours";

/** How a person wants deliberate tool mode for their own messages. */
export type PersonalMode = "off" | "follow" | "on";

/** A change of a channel's deliberate tool mode, or of one person's mode in it. */
export type DeliberateChange =
  | { what: "mode"; on: boolean }
  | { what: "context"; turns: number }
  | { what: "add" | "remove"; trigger: CustomTrigger }
  | { what: "me"; userId: string; state: PersonalMode };

/** A use of `/deliberate`. Without a change it only reads. */
export interface DeliberateRequest {
  interactionId: string;
  userId: string;
  change: DeliberateChange | null;
  /** The server whose remote tools count; null or absent: the deployment's. */
  guildId?: string | null;
  /** The settings of a thread's parent: key → value. */
  parentSettings?: Record<string, string>;
}

/** Deliberate tool mode for one person: `on` for the channel, `active` for their messages. */
export interface DeliberateState {
  on: boolean;
  personal: PersonalMode;
  active: boolean;
  turns: number;
  triggers: CustomTrigger[];
}

/** The state after a change, or the rule that the change breaks. */
export type DeliberateAnswer = { ok: true; state: DeliberateState } | { ok: false; rule: string };

/** Who asks for the list: a turn's request without text, which decides which tools are offered. */
export interface ToolsRequest extends PlaceNotes {
  trigger: TurnRequest;
}

/** A tool in `/tools list`. */
export interface ListedTool {
  name: string;
  category: string;
  /** The requirements that are not met here; a tool with any is never offered. */
  missing: string[];
  /** Why deliberate mode offers it to a message that does not ask for it; null: it needs its trigger. */
  exposed: { trigger: string; source: ToolMatch["source"] } | null;
  /** For how many more requests its last use keeps it offered. */
  turnsLeft: number;
}

/** What `/tools list` shows. */
export interface ToolsReport {
  active: boolean;
  tools: ListedTool[];
}

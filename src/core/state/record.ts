// What a channel stores about its turns: the lock, one record per turn, the stop flag, the delivery; and how a lock and a
// record begin. The rules are in admission.ts, stop.ts, approval.ts, agenda.ts and recovery.ts. All times are epoch
// milliseconds; Discord ids are text, because a snowflake does not fit a number.

import type { AffordanceWindow } from "../deliberate/affordance-window.ts";
import type { Exposure } from "../deliberate/exposure.ts";
import type { TokenUsage, TurnUsage } from "../money/usage.ts";
import type { PartTaint } from "../taint/taint.ts";
import type { ApprovalRequest } from "./approval-request.ts";
import type { CompactionPlan } from "./compaction-plan.ts";
import type { DayUsage } from "./day-usage.ts";
import type { Ending } from "./ending.ts";
import { type Enrichment, NO_ENRICHMENT } from "./enrichment.ts";
import type { ModelCallNote, RequestsToDiscord } from "./inspected.ts";
import type { Refusal } from "./rpc.ts";
import type { TurnEvent } from "./turn-events.ts";
import type { TurnRequest } from "./turn-request.ts";

export type { TurnRequest } from "./turn-request.ts";

/** How a turn ended. The first six come from the loop; the others never ran. `steered`: it joined the running one. */
export type TurnStatus =
  | "completed"
  | "error"
  | "timeout"
  | "empty_response"
  | "stopped_by_user"
  | "follow_up_interrupt"
  | "cleared"
  | "superseded"
  | "steered";

/** What a running turn is doing, which decides how a second message of the same person affects it. `finishing`: no step follows. */
export type TurnPhase = "planning" | "streaming" | "tools" | "parked" | "finishing";

/**
 * `closing`: ended, and the lock is free, but its reply still needs its final edit. `refused`: kept so that a repeated
 * interaction gets the same answer.
 */
export type TurnState = "queued" | "running" | "parked" | "closing" | "finished" | "refused";

/** A request to end one turn. It belongs to that turn, is durable, and is consumed with it. */
export interface StopFlag {
  kind: "stop" | "kill" | "follow_up";
  by: string;
  byName: string;
  at: number;
}

/**
 * What a turn was doing when it was last stored; a takeover resumes there. `send`: everything is decided and only the
 * last edit is left, which shows the first `chars` characters of what the turn has said. `ifCut`: what the model call counts as if its
 * life ends before the answer is stored; `call`: the note of that call. Rows of an older program have neither.
 */
export type Checkpoint =
  | { kind: "idle" }
  | { kind: "model"; ifCut?: TokenUsage; call?: ModelCallNote }
  | { kind: "tools" }
  | { kind: "send"; ending: Ending; chars: number };

/**
 * One message with a part of the answer. For an interaction, part 0 is the deferred response, `@original`. `sending` is
 * stored before the request that creates the message; `id` follows the response. A part found `sending` after a crash has
 * an unknown outcome: a followup has no nonce (Discord) and is never sent again; a message of the bot may be sent again
 * for a while after `since`.
 */
export interface DeliveredPart {
  state: "sending" | "sent";
  id: string | null;
  /** When we first tried to create it. */
  since?: number;
  /** Made with a token that has ended, or a webhook that is gone: it can't be changed any more. */
  frozen?: true;
  /** The position in the answer at which its part of the text ends; stored before the reply waits for a new token. */
  endsAt?: number;
}

/** A webhook's token is a secret: anyone who has it can post in the channel. `followup`: by the interaction's token. */
export type Voice = { kind: "webhook"; id: string; token: string } | { kind: "bot" } | { kind: "followup" };

/** The tool that runs now, for `/bot status`. */
export interface CurrentToolCall {
  name: string;
  callId: string;
  since: number;
}

/** Everything that is stored about one turn, in one row. */
export interface TurnRecord {
  id: string;
  state: TurnState;
  /** The order in the queue: smaller starts earlier. A follow-up goes before the smallest. */
  queuePosition: number;
  request: TurnRequest;
  /** It is a follow-up that waits; a newer one of the same person replaces it. */
  followUp: boolean;
  /** It waited in the queue before it started. */
  waited?: true;
  /** The one dangerous call for which it has asked approval; rows of an older program have none. */
  approval?: ApprovalRequest;
  /** How the token's end was prepared for. `asked`: the reply shows nothing more until a person clicks Continue. */
  renewal?: "asked" | "bot";
  /** It ended, but its final edit waits for a click that brings a new token. */
  undelivered?: true;
  /** It is a speaker of a scene whose last words Discord refused, so the scene's header shows them. */
  unheard?: true;
  /** It was forgotten while its last edit was on its way: no turn reads its words, and that edit deletes them. */
  forgotten?: true;
  /** A newer turn repeats or continues it, after a click on Retry or Continue, or has replaced it (`replaces`). */
  askedAgain?: true;
  /** The running turn that this one joins at the next tool boundary (`follow_up` = `steer`). */
  steers: string | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  /** The life of the object that runs it, and the lock's epoch. Both fence its writes. */
  instance: string | null;
  epoch: number;
  phase: TurnPhase;
  checkpoint: Checkpoint;
  currentToolCall: CurrentToolCall | null;
  iteration: number;
  /** Which of the configured models answers; each fallback adds one. */
  modelIndex: number;
  enrichment: Enrichment;
  /** Which tools deliberate mode lets it use; null: the mode is not active. Missing: the turn has not started yet. */
  exposure?: Exposure | null;
  usage: TurnUsage;
  /** The worst taint of its requests so far (core/taint). Missing: nothing from strangers; rows of an older program have none. */
  taint?: PartTaint;
  /** How many calls its answers contained that might run, over all models; rows of an older program have none. */
  toolCalls?: number;
  /** The newest reasoning of its stored steps, and once it has ended, of all its steps. For the thought log and the inspector. */
  thoughts?: string;
  /** Takeovers of this turn since its last progress, and in all. Counted before the new life does any work. */
  takeoversWithoutProgress: number;
  takeovers: number;
  /** The number of stored answers and results at the last takeover. */
  progressAtTakeover: number;
  softWarnAt: number | null;
  warnedAt: number | null;
  toolDeadlineAt: number | null;
  deadlineAt: number | null;
  stop: StopFlag | null;
  /** The voice of a persona; found before its first word and kept so that any life edits with the same voice. */
  voice?: Voice;
  parts: DeliveredPart[];
  /** Since when a thread is being opened for its answer; after that the turn belongs to the thread's own object. */
  threadSince?: number;
  /** The id of that thread. Its object may have the turn from now on, so it is never answered here. */
  threadId?: string;
  /** The click on Delete, whose token may delete the message with the button. Removed once the messages are gone. */
  removal?: { applicationId: string; token: string; messageId: string; at: number };
  /** The message that pings the asker after the answer (ping.ts). */
  ping?: DeliveredPart;
  status: TurnStatus | null;
  refusal: Refusal | null;
  events: TurnEvent[];
  /** The requests to Discord for its reply; rows of an older program have none. */
  requests?: RequestsToDiscord;
}

/** The channel's one lock. `turnId` is null when no turn runs; the epoch only grows. */
export interface Lock {
  turnId: string | null;
  instance: string | null;
  epoch: number;
  startedAt: number | null;
  deadlineAt: number | null;
  /** How often in a row `userId` interrupted their own turn. */
  followUps: { userId: string; count: number } | null;
  /** Discord refused us access to this channel, so nothing starts before this time. */
  silentUntil?: number;
  /** Since when the bot has been kept out of this channel, or the channel has been gone, with no request since from a server that has the bot. */
  refusedAt?: number;
  /** When to prune old rows; null while there are not too many. */
  housekeepingAt: number | null;
  /** When rows that are too old are deleted next; null: the last deletion left nothing that ages. Missing: nothing was planned yet. */
  retentionAt?: number | null;
  /** The usage on the day of the last turn; rows of an older program have none. */
  usage?: DayUsage;
  /** The tools that stay offered for a while after their use; rows of an older program have none. */
  window?: AffordanceWindow;
  /** The planned summary; missing: none is planned. */
  compaction?: CompactionPlan;
}

/** Everything that a decision about the channel may read. */
export interface ChannelState {
  lock: Lock;
  /** The lock's turn, if there is one. */
  running: TurnRecord | null;
  /** In starting order. */
  queue: TurnRecord[];
  parked: TurnRecord[];
  closing: TurnRecord[];
}

/** Whether a person asked for this turn. If not, no warning, error or progress line is shown. */
export const isAskedFor = ({ request }: TurnRecord): boolean => request.reminder === undefined;

/** Makes the record of a new turn that has not started. `now` is in epoch milliseconds. */
export function newTurn(request: TurnRequest, state: TurnState, queuePosition: number, now: number): TurnRecord {
  return {
    id: request.interactionId,
    state,
    queuePosition,
    request,
    followUp: false,
    steers: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    instance: null,
    epoch: 0,
    phase: "planning",
    checkpoint: { kind: "idle" },
    currentToolCall: null,
    iteration: 0,
    modelIndex: 0,
    enrichment: NO_ENRICHMENT,
    usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 },
    takeoversWithoutProgress: 0,
    takeovers: 0,
    progressAtTakeover: 0,
    softWarnAt: null,
    warnedAt: null,
    toolDeadlineAt: null,
    deadlineAt: null,
    stop: null,
    parts: [],
    status: null,
    refusal: null,
    events: [],
  };
}

/** A channel's lock before its first turn. */
export const freeLock: Lock = {
  turnId: null,
  instance: null,
  epoch: 0,
  startedAt: null,
  deadlineAt: null,
  followUps: null,
  housekeepingAt: null,
};

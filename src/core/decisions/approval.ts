// A person's approval of a dangerous call: how long a turn is parked for it, who may click, and what a click or the
// timeout does. Pure. Each request is decided once, by whichever comes first: a click, a stop or the timeout.

import type { ApprovalDecision, AskedCall } from "../state/approval-request.ts";
import { isBetweenPeople, isOutsideServer } from "../state/install-context.ts";
import { transcriptOwner } from "../state/private-turns.ts";
import type { ChannelState, TurnRecord } from "../state/record.ts";
import type { ApprovalAnswer, ApprovalClick } from "../state/rpc.ts";
import { withEvent } from "../state/turn-events.ts";
import type { TurnRequest } from "../state/turn-request.ts";
import { newQueuePosition } from "./admission.ts";

/** The longest that a turn waits for approval. */
export const APPROVAL_LIFE_MS = 10 * 60_000;
/** The time between the end of the wait and the end of the token, in which the turn shows how it continued. */
const TOKEN_REST_MS = 60_000;

/** Returns when a new request expires, in epoch milliseconds. `tokenEndsAt`: null if the reply can be edited without a token. */
export function approvalExpiry(askedAt: number, tokenEndsAt: number | null): number {
  const longest = askedAt + APPROVAL_LIFE_MS;
  return tokenEndsAt === null ? longest : Math.min(longest, tokenEndsAt - TOKEN_REST_MS);
}

/** Returns the turn parked with its request, without the lock. Times are epoch milliseconds. */
export function parked(turn: TurnRecord, asked: AskedCall, tokenEndsAt: number | null, now: number): TurnRecord {
  const expiresAt = approvalExpiry(now, tokenEndsAt);
  const leftMs = Math.max(0, (turn.deadlineAt ?? now) - now);
  return {
    ...turn,
    state: "parked",
    phase: "parked",
    // Any life may show the request and resume the turn.
    instance: null,
    currentToolCall: null,
    toolDeadlineAt: null,
    deadlineAt: null,
    approval: { ...asked, askedAt: now, expiresAt, leftMs, shown: false, decision: null },
    events: withEvent(turn.events, { at: now, what: "parked", detail: asked.tool }),
  };
}

/**
 * Decides about a click: the answer for the person, and the resumed turn at the front of the queue, or null. `approvers` are the roles
 * that may approve as moderators may.
 */
export function decideApprovalClick(
  state: Pick<ChannelState, "queue">,
  turn: TurnRecord | null,
  click: ApprovalClick,
  approvers: readonly string[],
  now: number,
): { answer: ApprovalAnswer; resumed: TurnRecord | null } {
  const only = (answer: ApprovalAnswer) => ({ answer, resumed: null });
  const request = turn?.approval;
  if (!turn || !request) return only({ result: "nothing_asked" });
  const refused = refusalOfClick(turn.request, request.byModerator === true, click, approvers);
  if (refused) return only(refused);
  if (request.decision) return only({ result: "already_decided", as: request.decision.kind });
  if (turn.state !== "parked") return only({ result: "nothing_asked" });
  // A request expires exactly at its end, even if the alarm has not fired yet.
  if (now >= request.expiresAt) return only({ result: "already_decided", as: "expired" });
  const kind = click.approved ? "approved" : "denied";
  return { answer: { result: kind }, resumed: resume(state, turn, { kind, by: click.userId }, now) };
}

/** Whether the click was refused because of who made it. The Worker answers those at once; otherwise the object reports the outcome. */
export const isRefusedClick = ({ result }: ApprovalAnswer): boolean =>
  ["not_allowed", "moderators_only", "owners_only", "kept_out"].includes(result);

/** What matters about a person for approvals. */
type Standing = Pick<ApprovalClick, "moderator" | "isOwner" | "roles">;

/** Whether this is outside the servers that have added us: a moderator of another server may be anyone. */
const isElsewhere = (request: TurnRequest): boolean => isOutsideServer(request) || request.botIsHere === false;

/**
 * Whether this person may approve what the asker alone may not. In the bot's own direct messages, and where only a person brought it along,
 * owners may, or if no one knows who owns the bot, whoever moderates there. In a server, moderators and approver roles may. In a conversation
 * between people no one may.
 */
function mayVouch(request: TurnRequest, who: Standing, approvers: readonly string[]): boolean {
  if (isBetweenPeople(request)) return false;
  if (isElsewhere(request)) return who.isOwner ?? who.moderator;
  return who.moderator || (who.roles ?? []).some((role) => approvers.includes(role));
}

/** Returns why this click is refused, or null. The asker and whoever may vouch decide; an asker who may not approve may still deny. */
function refusalOfClick(
  request: TurnRequest,
  needsVoucher: boolean,
  click: ApprovalClick,
  approvers: readonly string[],
): ApprovalAnswer | null {
  if (mayVouch(request, click, approvers)) return null;
  const hasApprovers = approvers.length > 0;
  if (request.userId !== click.userId) return { result: "not_allowed", hasApprovers };
  if (!needsVoucher || !click.approved) return null;
  const isOwners = isElsewhere(request) && !isBetweenPeople(request);
  return isOwners ? { result: "owners_only" } : { result: "moderators_only", hasApprovers };
}

/**
 * Whether anyone can approve a call of this turn that its asker alone may not. Nobody else sees the request in an answer that only its
 * asker can see, nor in direct messages. `request` may still become private while its first message is sent; then its approval expires.
 */
export function hasVoucher(request: TurnRequest, approvers: readonly string[]): boolean {
  if (isOutsideServer(request)) return !isBetweenPeople(request) && request.isOwner !== false;
  return transcriptOwner(request) === null || mayVouch(request, request, approvers);
}

/** Returns the parked turns whose time is up, as resumed turns; the one that was parked first goes to the very front. */
export function expired(state: Pick<ChannelState, "queue" | "parked">, now: number): TurnRecord[] {
  const due = state.parked.filter(({ approval }) => approval && !approval.decision && approval.expiresAt <= now);
  return due.map((turn, index) => {
    const resumed = resume(state, turn, { kind: "expired" }, now);
    return { ...resumed, queuePosition: resumed.queuePosition - (due.length - 1 - index) };
  });
}

/** Returns when the first parked turn's time is up; null when none waits. */
export function nextExpiry({ parked: turns }: Pick<ChannelState, "parked">): number | null {
  const ends = turns.flatMap(({ approval }) => (approval && !approval.decision ? [approval.expiresAt] : []));
  return ends.length === 0 ? null : Math.min(...ends);
}

function resume(
  { queue }: Pick<ChannelState, "queue">,
  turn: TurnRecord,
  decision: ApprovalDecision,
  now: number,
): TurnRecord {
  return {
    ...turn,
    state: "queued",
    phase: "tools",
    queuePosition: newQueuePosition(queue, "front"),
    // It has already started, so no newer message replaces it.
    followUp: false,
    ...(turn.approval && { approval: { ...turn.approval, decision } }),
    events: withEvent(turn.events, {
      at: now,
      what: decision.kind,
      ...("by" in decision && { detail: decision.by, by: decision.by }),
    }),
  };
}

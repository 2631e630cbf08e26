// A person's agreement to a dangerous call: how long a turn is parked on it, who may press, and what a press or the end of the time
// comes to. Pure; each decision is taken once, whichever of a press, a second one, a stop and the end comes first.
import { newQueuePosition } from "./admission.ts";
import type { ChannelState, TurnRecord } from "./record.ts";
import type { ApprovalAnswer, ApprovalClick } from "./rpc.ts";
import { withEvent } from "./turn-events.ts";

/** A call that a turn is, or was, parked on. Times are epoch milliseconds. */
export interface ApprovalRequest extends AskedCall {
  askedAt: number;
  expiresAt: number;
  /** What is left of the turn's own time: while it is parked, that time stands still. */
  leftMs: number;
  /** Discord shows the request; until then a new life shows it again. */
  shown: boolean;
  decision: ApprovalDecision | null;
}

/** The call itself, as it was checked: exactly this one runs. */
export interface AskedCall {
  /** The call's place in its turn. */
  callPlace: string;
  tool: string;
  /** Cleaned, as canonical JSON. */
  args: string;
  /** The call in words that a person can judge. */
  summary: string;
  /** Where the message stands that the call is about. */
  link?: string;
}

/** What became of a request. */
export type ApprovalDecision = { kind: "approved" | "denied"; by: string } | { kind: "expired" };

/** The longest that anybody is waited for. */
export const APPROVAL_LIFE_MS = 10 * 60_000;
/** Time between the end of the wait and the token's, for the turn to say how it went on. */
const TOKEN_REST_MS = 60_000;

/** When a request that is made now expires. `tokenEndsAt`: null where the reply can be edited without a token. */
export function approvalExpiry(askedAt: number, tokenEndsAt: number | null): number {
  const longest = askedAt + APPROVAL_LIFE_MS;
  return tokenEndsAt === null ? longest : Math.min(longest, tokenEndsAt - TOKEN_REST_MS);
}

/** The turn with its request, off the lock. */
export function parked(turn: TurnRecord, asked: AskedCall, tokenEndsAt: number | null, now: number): TurnRecord {
  const expiresAt = approvalExpiry(now, tokenEndsAt);
  const leftMs = Math.max(0, (turn.deadlineAt ?? now) - now);
  return {
    ...turn,
    state: "parked",
    phase: "parked",
    // Whichever life is there shows the request, and goes on.
    instance: null,
    currentToolCall: null,
    toolDeadlineAt: null,
    deadlineAt: null,
    approval: { ...asked, askedAt: now, expiresAt, leftMs, shown: false, decision: null },
    events: withEvent(turn.events, { at: now, what: "parked", detail: asked.tool }),
  };
}

/** What a press comes to: the answer to the person, and the turn as it goes on, at the front of the queue, where it does. */
export function decideApprovalClick(
  state: Pick<ChannelState, "queue">,
  turn: TurnRecord | null,
  click: ApprovalClick,
  now: number,
): { answer: ApprovalAnswer; resumed: TurnRecord | null } {
  const only = (answer: ApprovalAnswer) => ({ answer, resumed: null });
  const request = turn?.approval;
  if (!turn || !request) return only({ result: "nothing_asked" });
  if (turn.request.userId !== click.userId && !click.moderator) return only({ result: "not_allowed" });
  if (request.decision) return only({ result: "already_decided", as: request.decision.kind });
  if (turn.state !== "parked") return only({ result: "nothing_asked" });
  // Exactly at its end a request has expired, whether or not the alarm was there first.
  if (now >= request.expiresAt) return only({ result: "already_decided", as: "expired" });
  const kind = click.approved ? "approved" : "denied";
  return { answer: { result: kind }, resumed: goingOn(state, turn, { kind, by: click.userId }, now) };
}

/** The parked turns whose time is over, as they go on, the one that was parked first at the very front. */
export function expired(state: Pick<ChannelState, "queue" | "parked">, now: number): TurnRecord[] {
  const over = state.parked.filter(({ approval }) => approval && !approval.decision && approval.expiresAt <= now);
  return over.map((turn, index) => {
    const goesOn = goingOn(state, turn, { kind: "expired" }, now);
    return { ...goesOn, queuePosition: goesOn.queuePosition - (over.length - 1 - index) };
  });
}

/** When the first parked turn's time is over; null when none waits. */
export function nextExpiry({ parked: turns }: Pick<ChannelState, "parked">): number | null {
  const ends = turns.flatMap(({ approval }) => (approval && !approval.decision ? [approval.expiresAt] : []));
  return ends.length === 0 ? null : Math.min(...ends);
}

function goingOn(
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
    // It has begun: nothing newer takes its place.
    followUp: false,
    ...(turn.approval && { approval: { ...turn.approval, decision } }),
    events: withEvent(turn.events, { at: now, what: decision.kind, ...("by" in decision && { detail: decision.by }) }),
  };
}

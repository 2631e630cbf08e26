// Decides whether a turn may start now, and if not, what happens to the message, including a second request while a turn runs.
// Pure: the caller has already dropped repeated interactions and does the saving.

import type { ChannelState, Lock, TurnRecord, TurnStatus } from "../state/record.ts";
import type { Refusal } from "../state/rpc.ts";

/** What a message does to a running turn of the same person: interrupt its stream, wait, or join it at the next tool boundary. */
export type FollowUpMode = "interrupt" | "queue" | "steer";

/** The limits for admission, from the configuration and the channel's settings. */
export interface AdmissionRules {
  followUp: FollowUpMode;
  /** How many times in a row a person may interrupt before they wait like anyone else. */
  maxFollowUpInterrupts: number;
  maxQueueLength: number;
  maxQueuedPerUser: number;
}

/** Where a message goes. `supersedes` names waiting follow-ups of the same person, which it replaces. */
export type Admission =
  | { kind: "start" }
  | { kind: "back" }
  | { kind: "front"; supersedes: string[] }
  | { kind: "interrupt"; turnId: string; supersedes: string[] }
  | { kind: "steer"; turnId: string }
  | { kind: "refuse"; refusal: Refusal };

/** Decides about one new message of `userId`. */
export function admit(state: ChannelState, userId: string, rules: AdmissionRules): Admission {
  const { running, queue } = state;
  if (!running && queue.length === 0) return { kind: "start" };
  if (running?.stop && running.stop.kind !== "follow_up")
    return { kind: "refuse", refusal: { reason: "stop_pending" } };
  const wanted = running?.request.userId === userId ? followUp(state, running, rules) : ({ kind: "back" } as const);
  // A message that interrupts replaces the turn that it ends, so it doesn't wait in the queue.
  if (wanted.kind === "interrupt") return wanted;
  const leaving = wanted.kind === "front" ? wanted.supersedes : [];
  const waiting = queue.filter((turn) => !leaving.includes(turn.id) && isRequest(turn));
  if (waiting.length >= rules.maxQueueLength)
    return { kind: "refuse", refusal: { reason: "queue_full", limit: rules.maxQueueLength } };
  if (waiting.filter((turn) => turn.request.userId === userId).length >= rules.maxQueuedPerUser)
    return { kind: "refuse", refusal: { reason: "user_share_full", limit: rules.maxQueuedPerUser } };
  return wanted;
}

/** A scene counts as one request, however many personas speak in it. A due reminder doesn't count: many may be due at the same minute. */
const isRequest = ({ request }: TurnRecord): boolean => !request.reminder && (request.scene?.index ?? 0) === 0;

/** What a message does to the running turn of the same person. */
function followUp(
  state: ChannelState,
  running: TurnRecord,
  rules: AdmissionRules,
): Exclude<Admission, { kind: "start" | "refuse" }> {
  if (rules.followUp === "queue") return { kind: "back" };
  if (rules.followUp === "steer" && running.phase !== "finishing") return { kind: "steer", turnId: running.id };
  const { userId } = running.request;
  const supersedes = state.queue
    .filter((turn) => turn.followUp && turn.request.userId === userId)
    .map((turn) => turn.id);
  // A stop flag here is the person's own interrupt that has not taken effect yet: the newest message wins.
  if (running.phase !== "streaming" || running.stop) return { kind: "front", supersedes };
  if (interruptsInARow(state.lock, userId) >= rules.maxFollowUpInterrupts) return { kind: "back" };
  return { kind: "interrupt", turnId: running.id, supersedes };
}

function interruptsInARow(lock: Lock, userId: string): number {
  return lock.followUps?.userId === userId ? lock.followUps.count : 0;
}

/** Returns the follow-up count after a turn of `userId` ended: an interrupt adds one, every other ending resets it. */
export function followUpsAfter(lock: Lock, userId: string, status: TurnStatus): Lock["followUps"] {
  if (status !== "follow_up_interrupt") return null;
  return { userId, count: interruptsInARow(lock, userId) + 1 };
}

/** Returns a queue position before or after everyone who waits. */
export function newQueuePosition(queue: TurnRecord[], where: "front" | "back"): number {
  const places = queue.map((turn) => turn.queuePosition);
  if (places.length === 0) return 0;
  return where === "front" ? Math.min(...places) - 1 : Math.max(...places) + 1;
}

/** Returns queue positions for `count` turns that belong together, in order: directly after `position` and before the next turn. */
export function queuePositionsAfter(queue: TurnRecord[], position: number, count: number): number[] {
  const later = queue.map((turn) => turn.queuePosition).filter((other) => other > position);
  const gap = (later.length > 0 ? Math.min(...later) : position + 1) - position;
  return Array.from({ length: count }, (_, index) => position + (gap * (index + 1)) / (count + 1));
}

/**
 * Returns the position of a message that waits to join a turn: before everyone else who waits, but after the person's own earlier messages
 * that wait to join one. If the turn ended without those, the new message waits with them.
 */
export function joiningPosition(
  queue: TurnRecord[],
  turnId: string,
  userId: string,
): Pick<TurnRecord, "queuePosition" | "steers"> {
  const last = queue.findLast(({ steers, request }) => steers !== null && request.userId === userId);
  const after = last && queuePositionsAfter(queue, last.queuePosition, 1)[0];
  return { queuePosition: after ?? newQueuePosition(queue, "front"), steers: last?.steers ?? turnId };
}

/** Returns the turn that starts next: the head of the queue if nothing runs. */
export function nextToStart(state: ChannelState): TurnRecord | null {
  return state.running ? null : (state.queue[0] ?? null);
}

// Decides what a stop or a kill ends, and whether this person may ask for it. Pure: the caller saves the flag, then aborts.

import { isBetweenPeople } from "../state/install-context.ts";
import { isKnownTo } from "../state/private-turns.ts";
import type { ChannelState, StopFlag, TurnRecord } from "../state/record.ts";
import type { StopAnswer, StopRequest } from "../state/rpc.ts";

/** Who may end another person's turn (`kill_policy`). */
export type KillPolicy = "owner_or_moderator" | "anyone";

/** `flag` marks the running turn; `end` lists the turns that end at once: waiting, parked, or with a thread being opened. */
export interface StopDecision {
  answer: StopAnswer;
  flag: { turnId: string; flag: StopFlag } | null;
  end: { turnId: string; as: "stopped_by_user" | "cleared" }[];
}

const nothing = (answer: StopAnswer): StopDecision => ({ answer, flag: null, end: [] });

/**
 * Decides about one stop request. A button ends its own turn; a command ends the running turn, or without one the parked turns and those for
 * which a thread is being opened. Repeating it is harmless: the second time the turn already has the flag or has ended.
 */
export function decideStop(state: ChannelState, request: StopRequest, policy: KillPolicy, now: number): StopDecision {
  const mayEnd = (turn: TurnRecord) =>
    turn.request.userId === request.userId ||
    (!isBetweenPeople(turn.request) && isKnownTo(turn, request.userId) && (request.moderator || policy === "anyone"));
  const targets = findTargets(state, request);
  if (targets.length === 0 && request.turnId) return nothing({ result: "already_finished" });
  const allowed = targets.filter(mayEnd);
  if (targets.length > 0 && allowed.length === 0) return nothing({ result: "not_allowed" });

  const waiting = [...state.queue, ...openingTurns(state)].filter((turn) => isKnownTo(turn, request.userId));
  const cleared = request.kind === "kill" ? waiting.filter(mayEnd).filter((turn) => !allowed.includes(turn)) : [];
  const [first] = allowed;
  const running = allowed.find((turn) => turn === state.running);
  const end = [
    ...allowed.filter((turn) => turn !== running).map(({ id }) => ({ turnId: id, as: "stopped_by_user" as const })),
    ...cleared.map(({ id }) => ({ turnId: id, as: "cleared" as const })),
  ];
  if (first)
    return {
      answer: { result: "stopped", ofUserId: first.request.userId, what: whatIs(first), cleared: cleared.length },
      flag: running ? { turnId: running.id, flag: buildFlag(running, request, now) } : null,
      end,
    };
  if (cleared.length === 0) return nothing({ result: "nothing_to_stop" });
  return { answer: { result: "cleared_queue", cleared: cleared.length }, flag: null, end };
}

function findTargets(state: ChannelState, { turnId, userId }: StopRequest): TurnRecord[] {
  const { queue, parked } = state;
  const running = state.running ? [state.running] : [];
  // Whoever clicks can see the turn. A scene's button is on its header and ends every remaining turn of the scene.
  if (turnId)
    return [...running, ...queue, ...parked].filter(({ id, request }) => id === turnId || request.scene?.id === turnId);
  const known = (turns: TurnRecord[]) => turns.filter((turn) => isKnownTo(turn, userId));
  return known(running).length > 0 ? running : known([...parked, ...openingTurns(state)]);
}

/** Returns the turns for which a thread is being opened and which no other object can have yet. */
const openingTurns = ({ closing }: ChannelState) =>
  closing.filter(({ threadSince, threadId }) => threadSince !== undefined && threadId === undefined);

/** A kill beats a stop, and both beat a follow-up. A second request of the same kind keeps the first one's name. */
function buildFlag(turn: TurnRecord, request: StopRequest, now: number): StopFlag {
  const rank = { follow_up: 0, stop: 1, kill: 2 };
  if (turn.stop && rank[turn.stop.kind] >= rank[request.kind]) return turn.stop;
  return { kind: request.kind, by: request.userId, byName: request.userName, at: now };
}

/** Returns the state to show: a turn for which a thread is being opened counts as running. */
const whatIs = ({ state }: TurnRecord) => (state === "queued" || state === "parked" ? state : "running");

// A turn that waits for a person's agreement: off the lock, its request shown with two buttons, gone on with once somebody presses
// or nobody does in time. While it waits nothing but the end of its time is planned.

import { approvalText, say } from "../../src/core/copy/outcome.ts";
import { TOKEN_LIFE_MS } from "../../src/core/limits.ts";
import { decidePress, expired, parked } from "../../src/core/state/approval.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ApprovalAnswer, ApprovalPress } from "../../src/core/state/rpc.ts";
import type { TurnResult } from "../../src/turn/generation-turn.ts";
import type { Channel } from "../parts.ts";
import { rearm } from "../schedule/alarm.ts";
import { saidText } from "../turn/turn-store.ts";
import { renewToken } from "./token-end.ts";

/** Stores a held turn as parked, within the caller's transaction. */
export function storeParked(
  { parts, replies }: Channel,
  held: TurnRecord,
  { asked }: Extract<TurnResult, { kind: "parked" }>,
): TurnRecord {
  const { token, receivedAt } = held.trigger;
  const needsToken = token !== null && !replies.of(held).outlivesToken;
  const waiting = parked(held, asked, needsToken ? receivedAt + TOKEN_LIFE_MS : null, parts.clock());
  parts.store.saveTurn(waiting);
  return waiting;
}

/** Shows a parked turn's request, detached, until Discord has it or can't have it. Does nothing when that is under way. */
export function showRequest(channel: Channel, turn: TurnRecord): void {
  // Not the turn's id: its last words must not wait for a request that is still on its way.
  const key = `request of ${turn.id}`;
  if (channel.settling.has(key)) return;
  channel.settling.add(key);
  channel.parts.keepAlive(sendRequest(channel, turn).finally(() => channel.settling.delete(key)));
}

async function sendRequest(channel: Channel, turn: TurnRecord): Promise<void> {
  const { store } = channel.parts;
  if (!turn.approval) return;
  const { askedAt, expiresAt } = turn.approval;
  const line = say.approvalWanted(turn.trigger.userId, turn.approval, expiresAt - askedAt);
  await channel.replies.of(turn).ask({ text: saidText(store.messagesInTurn(turn.id)), line, asks: true });
  store.transaction(() => {
    const held = store.turn(turn.id);
    if (held?.state === "parked" && held.approval)
      store.saveTurn({ ...held, approval: { ...held.approval, shown: true } });
  });
  rearm(channel);
}

/** Takes a press of Approve or Deny. The same interaction gets the same answer; what goes on waits for the caller's tick. */
export function pressApproval(channel: Channel, press: ApprovalPress): ApprovalAnswer {
  const { parts, replies } = channel;
  const { store, clock } = parts;
  const known = store.storedAnswer(press.interactionId);
  if (known) return JSON.parse(known) as ApprovalAnswer;
  const { answer, goesOn } = store.transaction(() => {
    const decided = decidePress(store.state(), store.turn(press.turnId), press, clock());
    if (decided.goesOn) store.saveTurn(decided.goesOn);
    store.putAnswer(press.interactionId, JSON.stringify(decided.answer));
    return decided;
  });
  rearm(channel);
  if (goesOn && !renewToken(channel, goesOn.id, press.press)) replies.showPlaces(store.state());
  if (answer.result !== "not_allowed") parts.keepAlive(replies.tellPrivately(press.press, approvalText(answer)));
  return answer;
}

/** Lets the parked turns go on whose time is over; what goes on waits for the caller's next start. */
export function expireApprovals({ parts, replies }: Channel): void {
  const { store, clock } = parts;
  store.transaction(() => {
    for (const turn of expired(store.state(), clock())) store.saveTurn(turn);
  });
  replies.showPlaces(store.state());
}

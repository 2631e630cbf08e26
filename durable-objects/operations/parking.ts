// Parks a turn that waits for a person's approval. It gives up the lock and shows its request with two buttons. It resumes on a
// click or when the time is up; until then the alarm is set only for that time.

import { approvalText } from "../../src/core/copy/control-answers.ts";
import { callText, say } from "../../src/core/copy/notices.ts";
import { decideApprovalClick, expired, isRefusedClick, parked } from "../../src/core/decisions/approval.ts";
import { TOKEN_LIFE_MS } from "../../src/core/limits.ts";
import { isDenied } from "../../src/core/state/access-lists.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ApprovalAnswer, ApprovalClick } from "../../src/core/state/rpc.ts";
import type { ParkedTurn } from "../../src/turn/generation-turn.ts";
import type { Channel } from "../live-channel.ts";
import { tellPrivately } from "../replies/side-messages.ts";
import { findBotEndpoint } from "../replies/turn-pump.ts";
import { noteHere, rearm } from "../schedule/rearm.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { saidText } from "../turn/turn-texts.ts";
import { renewToken } from "./token-end.ts";

/** Stores a running turn as parked, within the caller's transaction. */
export function storeParked({ ports, replies }: Channel, running: TurnRecord, { asked }: ParkedTurn): TurnRecord {
  const { token, receivedAt } = running.request;
  // If the bot can't post with its own token, a scene has only the interaction's token.
  const isBound = token === null ? !findBotEndpoint(ports, running.request) : !replies.of(running).outlivesToken;
  // A reply that waits for Continue is shown with that click's token.
  const endsAt = isBound && running.renewal !== "asked" ? receivedAt + TOKEN_LIFE_MS : null;
  const waiting = parked(running, asked, endsAt, ports.clock());
  ports.store.saveTurn(waiting);
  return waiting;
}

/**
 * Shows a parked turn's request in the background, until Discord accepts or refuses it. Does nothing if it is already being
 * sent.
 */
export function showRequest(channel: Channel, turn: TurnRecord): void {
  // Not the turn's id: the final edit must not wait for a request that is still being sent.
  const key = `request of ${turn.id}`;
  if (channel.finishing.has(key)) return;
  channel.finishing.add(key);
  channel.ports.keepAlive(sendRequest(channel, turn).finally(() => channel.finishing.delete(key)));
}

async function sendRequest(channel: Channel, turn: TurnRecord): Promise<void> {
  const { ports, replies } = channel;
  const { store, clock } = ports;
  if (!turn.approval) return;
  const { expiresAt, isCut, tool, args } = turn.approval;
  const { approvers } = effectiveSettings(ports);
  const text = saidText(store.messagesInTurn(turn.id));
  const wanted = { ...turn.approval, above: text };
  const { userId, guildId, botIsHere } = turn.request;
  const hasApprovers = guildId === null || botIsHere === false ? null : approvers.length > 0;
  const line = say.approvalWanted(userId, wanted, hasApprovers, expiresAt - clock());
  const file = { name: "arguments.txt", text: callText(tool, JSON.parse(args) as object) };
  await replies.of(turn).ask({ text, line, asks: true, ...(isCut && { file }) });
  store.transaction(() => {
    const current = store.turn(turn.id);
    if (current?.state === "parked" && current.approval)
      store.saveTurn({ ...current, approval: { ...current.approval, shown: true } });
  });
  rearm(channel);
}

/** Takes a click on Approve or Deny. Repeating an interaction returns the same answer. The caller's tick resumes the turn. */
export function clickApproval(channel: Channel, click: ApprovalClick): ApprovalAnswer {
  const { ports, replies } = channel;
  const { store, clock } = ports;
  const known = store.storedAnswer(click.interactionId);
  if (known) return JSON.parse(known) as ApprovalAnswer;
  // The approvers may have changed since the approval was requested.
  noteHere(channel, click);
  const { approvers, access } = effectiveSettings(ports);
  if (click.approved && isDenied(access, click.userId, click.roles ?? null)) return { result: "kept_out" };
  const answer = store.transaction(() => {
    const decided = decideApprovalClick(store.state(), store.turn(click.turnId), click, approvers, clock());
    if (decided.resumed) store.saveTurn(decided.resumed);
    store.putAnswer(click.interactionId, JSON.stringify(decided.answer));
    return decided.answer;
  });
  rearm(channel);
  if (isRefusedClick(answer)) return answer;
  // Renewed at every click: Discord may not have received our response to the click that decided, and then doesn't know its token.
  if (!renewToken(channel, click.turnId, click.press)) replies.showQueuePositions(store.state());
  ports.keepAlive(tellPrivately(ports, click.press, approvalText(answer)));
  return answer;
}

/** Queues the parked turns whose time is up. The caller then starts the next turn. */
export function expireApprovals({ ports, replies }: Channel): void {
  const { store, clock } = ports;
  store.transaction(() => {
    for (const turn of expired(store.state(), clock())) store.saveTurn(turn);
  });
  replies.showQueuePositions(store.state());
}

// Carries out a stop: stores it, aborts the running turn, then answers the person. A repeated stop gets its first answer
// again.

import { stopText } from "../../src/core/copy/control-answers.ts";
import { refusalText } from "../../src/core/copy/refusals.ts";
import { timelineText } from "../../src/core/copy/timeline.ts";
import { keptAtEnd } from "../../src/core/decisions/forgotten.ts";
import { decideStop } from "../../src/core/decisions/stop.ts";
import { SILENCE_AFTER_REFUSAL_MS } from "../../src/core/limits.ts";
import { isDenied } from "../../src/core/state/access-lists.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { StopAnswer, StopRequest } from "../../src/core/state/rpc.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import type { Channel } from "../live-channel.ts";
import { remindInPrivate, tellNoAccess } from "../replies/asker-notices.ts";
import { tellPrivately } from "../replies/side-messages.ts";
import { rearm } from "../schedule/rearm.ts";
import { noteUsage, sendReports } from "../scope-calls/usage-reports.ts";
import { countTokens } from "../settings/budgets.ts";
import { effectiveSettings, notePlace } from "../settings/effective-settings.ts";
import { closed } from "../turn/closing.ts";
import { saidText } from "../turn/turn-texts.ts";
import { finishReply, sendTrace } from "./finish-reply.ts";
import { renewToken } from "./token-end.ts";

/** Carries out one stop request. Repeating an interaction returns the same answer. */
export function stopTurns(channel: Channel, request: StopRequest): StopAnswer {
  const { ports, replies, live } = channel;
  const { store } = ports;
  const known = store.storedAnswer(request.interactionId);
  if (known) return JSON.parse(known) as StopAnswer;
  const { answer, flaggedId, ended } = store.transaction(() => stopInTransaction(channel, request));
  rearm(channel);
  if (request.turnId && request.reply && request.messageId && answer.result !== "not_allowed")
    renewToken(channel, request.turnId, { ...request.reply, messageId: request.messageId });
  if (flaggedId && live?.turnId === flaggedId) live.controller.abort({ kind: "flagged" } satisfies TurnAbort);
  for (const turn of ended) void finishReply(channel, turn);
  if (ended.length > 0) replies.showQueuePositions(store.state());
  sendReports(channel);
  if (request.reply && answer.result !== "not_allowed")
    ports.keepAlive(tellPrivately(ports, request.reply, stopText(answer)));
  return answer;
}

function stopInTransaction(channel: Channel, request: StopRequest) {
  const { ports } = channel;
  const { store, clock } = ports;
  const state = store.state();
  notePlace(ports, request);
  const { kill_policy, access } = effectiveSettings(ports);
  // "Anyone may stop answers" leaves out people whom the lists deny: otherwise they could take from everyone what they may not use themselves.
  const policy = isDenied(access, request.userId, request.roles ?? null) ? "owner_or_moderator" : kill_policy;
  const { answer, flag, end } = decideStop(state, request, policy, clock());
  const eventsOf = ({ events }: TurnRecord) =>
    withEvent(events, {
      at: clock(),
      what: request.kind,
      detail: timelineText.stoppedBy(request.userName),
      by: request.userId,
    });
  if (flag && state.running) store.saveTurn({ ...state.running, stop: flag.flag, events: eventsOf(state.running) });
  const ended = end.flatMap(({ turnId, as }): TurnRecord[] => {
    const known = store.turn(turnId);
    if (!known) return [];
    // Without `threadSince`, no thread is opened any more.
    const { threadSince, ...turn } = known;
    // A parked turn has already started and keeps what it has said.
    const waited = as === "cleared" ? "cleared" : "taken_back";
    const isWaiting = turn.startedAt === null && threadSince === undefined;
    const ending = { kind: isWaiting ? waited : "stopped", by: request.userId } as const;
    const closing = closed(
      { ...turn, events: eventsOf(turn) },
      ending,
      saidText(store.messagesInTurn(turnId)).length,
      clock(),
    );
    store.saveTurn(closing);
    noteUsage(channel, closing);
    return [closing];
  });
  countTokens(ports, ended);
  store.putAnswer(request.interactionId, JSON.stringify(answer));
  return { answer, flaggedId: flag?.turnId ?? null, ended };
}

/** Ends the turn whose reply the person deleted, or the bot may no longer write: there is no one left to answer. */
export function endLostReply(channel: Channel, turnId: string, why: "gone" | "no_access"): void {
  const { live } = channel;
  if (why === "no_access") noteRefusal(channel, turnId);
  if (live?.turnId === turnId) live.controller.abort({ kind: "gone" } satisfies TurnAbort);
  else withdraw(channel, turnId);
}

/**
 * Notes that Discord refused us here, so that nothing starts for a while. If it refused the bot itself, the waiting turns that only the bot's
 * token could answer end too. People who asked by message are notified, and reminders are sent privately.
 */
function noteRefusal(channel: Channel, turnId: string): void {
  const { ports } = channel;
  const { store, clock } = ports;
  const turn = store.turn(turnId);
  const isBots = turn?.request.botIsHere === true;
  store.transaction(() => {
    const lock = store.lock();
    const silentUntil = clock() + SILENCE_AFTER_REFUSAL_MS;
    store.saveLock({ ...lock, silentUntil, ...(isBots && { refusedAt: lock.refusedAt ?? clock() }) });
  });
  const waiting = store.state().queue.filter(({ id, request }) => isBots && id !== turnId && request.token === null);
  for (const { id } of waiting) withdraw(channel, id);
  const text = refusalText({ reason: "no_access", forMs: SILENCE_AFTER_REFUSAL_MS });
  // A turn with its own thread replies to no message, but its id is that of the message that asked.
  for (const one of turn ? [turn, ...waiting] : []) {
    tellNoAccess(ports, one.request.beginsThread ? { ...one.request, messageId: one.id } : one.request, text);
    remindInPrivate(ports, one);
  }
}

/** Ends a queued or parked turn. */
function withdraw(channel: Channel, turnId: string): void {
  const { ports, replies } = channel;
  const withdrawn = ports.store.transaction(() => {
    const turn = ports.store.turn(turnId);
    if (turn?.state !== "queued" && turn?.state !== "parked") return null;
    const ended = closed(turn, { kind: "gone" }, 0, ports.clock());
    ports.store.saveTurn(keptAtEnd({ ...ended, state: "finished" }));
    ports.store.dropFiles(turnId);
    noteUsage(channel, ended);
    countTokens(ports, [ended]);
    return turn;
  });
  if (!withdrawn) return;
  if (withdrawn.startedAt === null) replies.signs.stopWaiting(withdrawn.request);
  replies.drop(turnId);
  rearm(channel);
  sendReports(channel);
  replies.showQueuePositions(ports.store.state());
  sendTrace(channel, turnId);
}
